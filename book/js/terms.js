"use strict";
// What a word means, where one reads: a link to the glossary shows its entry when a mouse rests on it, the keyboard reaches it or
// a finger touches it. Another press follows it.

(function () {
    const links = Array.from(document.querySelectorAll('main a[href*="glossary.html#term-"]'));
    if (!links.length) return;
    const home = new URL(links[0].href); // each of them leads to the one page
    const note = Object.assign(document.createElement("div"), { className: "term", id: "term-note", popover: "manual" });
    note.setAttribute("role", "tooltip");
    document.body.append(note);
    let glossary = null; // fetched when the first word is asked for
    let shown = null;
    let wait = 0;

    const fetched = async () => new DOMParser().parseFromString(await (await fetch(home)).text(), "text/html");

    // The paragraph below the term, without the link at its end, which leads to the page that explains it.
    function told(page, id) {
        const text = page?.getElementById(id)?.closest("h2")?.nextElementSibling?.cloneNode(true);
        if (text?.lastChild?.nodeName === "A") text.lastChild.remove();
        return text?.textContent.trim();
    }

    async function show(link) {
        clearTimeout(wait);
        if (link === shown) return;
        shown = link;
        const text = told(await (glossary ??= fetched().catch(() => null)), link.hash.slice(1));
        if (link !== shown || !text) return;
        note.textContent = text;
        link.setAttribute("aria-describedby", note.id);
        note.showPopover();
        const [word, box] = [link.getClientRects()[0], note.getBoundingClientRect()];
        const below = word.bottom + 8 + box.height < innerHeight;
        note.style.left = `${Math.max(12, Math.min(word.left - 12, innerWidth - box.width - 12))}px`;
        note.style.top = `${below ? word.bottom + 8 : word.top - 8 - box.height}px`;
    }

    function hide() {
        clearTimeout(wait);
        shown?.removeAttribute("aria-describedby");
        shown = null;
        if (note.matches(":popover-open")) note.hidePopover();
    }

    const soon = (work, after) => {
        clearTimeout(wait);
        wait = setTimeout(work, after);
    };
    for (const link of links) {
        link.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") soon(() => show(link), 250); });
        link.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") soon(hide, 300); });
        link.addEventListener("focus", () => { if (link.matches(":focus-visible")) show(link); });
        link.addEventListener("blur", hide);
        link.addEventListener("click", (event) => {
            if (event.pointerType !== "touch" || link === shown) return;
            event.preventDefault();
            show(link);
        });
    }
    note.addEventListener("pointerenter", () => clearTimeout(wait));
    note.addEventListener("pointerleave", () => soon(hide, 300));
    addEventListener("scroll", hide, { passive: true });
    addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    document.addEventListener("pointerdown", (event) => { if (!note.contains(event.target) && !links.includes(event.target.closest?.("a"))) hide(); });
})();
