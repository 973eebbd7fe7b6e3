"use strict";
// What is around a page: the contents at its side, themes, search, and keys that turn pages. `index.hbs` is its HTML; mdBook's
// own `searcher.js` is loaded when a reader first asks for it.

// The search asks this before it takes a key.
function mdbook_something_else_has_focus(event) {
    return event.composedPath()[0].matches?.("input, select, textarea");
}

(function () {
    const remember = (name, value) => {
        try {
            if (value) localStorage.setItem(name, value);
            else localStorage.removeItem(name);
        } catch { /* a browser may forbid it */ }
    };
    const element = (id) => document.getElementById(id);

    // ---- Contents

    const [sidebar, toggle] = [element("mdbook-sidebar"), element("mdbook-sidebar-toggle")];
    function showContents() {
        page.classList.toggle("sidebar-visible", contents.checked);
        toggle.setAttribute("aria-expanded", String(contents.checked));
        sidebar.inert = !contents.checked;
    }
    function openContents(open) {
        contents.checked = open;
        showContents();
    }
    toggle.addEventListener("click", () => {
        openContents(!contents.checked);
        remember("mdbook-sidebar", contents.checked ? "visible" : "hidden");
    });
    document.querySelector('.skip[href="#mdbook-sidebar"]').addEventListener("click", () => openContents(true));
    // On a phone they lie over the page.
    element("mdbook-page-wrapper").addEventListener("click", (event) => {
        if (document.body.clientWidth < 620 && contents.checked && !toggle.contains(event.target)) openContents(false);
    });
    showContents();

    // ---- Themes

    const list = element("theme-list");
    function dress() {
        const chosen = kept("mdbook-theme");
        page.classList.remove("light", "rust", "coal", "navy", "ayu");
        page.classList.add(chosen ?? (dark.matches ? themes.dark : themes.light));
        for (const button of list.children) button.setAttribute("aria-pressed", String(button.value === (chosen ?? "")));
    }
    list.addEventListener("click", ({ target }) => {
        if (target.tagName !== "BUTTON") return;
        remember("mdbook-theme", target.value);
        dress();
        list.hidePopover();
    });
    dark.addEventListener("change", dress);
    dress();

    // ---- Search: three scripts, and an index of some size, for those who ask

    const glass = element("mdbook-search-toggle");
    let asked = !glass;
    function loadSearch(then) {
        if (asked) return;
        asked = true;
        for (const source of searcher) {
            const script = Object.assign(document.createElement("script"), { src: source, async: false });
            if (source === searcher.at(-1)) script.onload = then;
            document.head.append(script);
        }
    }
    const search = () => loadSearch(() => glass.click());
    glass?.addEventListener("click", search, { once: true });
    // A page's first section has the page's name: what was found there is named once.
    const results = element("mdbook-searchresults");
    if (results) new MutationObserver(() => {
        for (const link of results.querySelectorAll("a")) link.textContent = link.textContent.replace(/(^| \u00bb )([^\u00bb]+) \u00bb \2$/, "$1$2");
    }).observe(results, { childList: true });
    // mdBook closes the search and leaves the focus nowhere.
    element("mdbook-search-wrapper")?.addEventListener("keydown", ({ key }) => { if (key === "Escape") setTimeout(() => glass.focus()); });
    if (/[?&](search|highlight)=/.test(location.search)) loadSearch(() => {});

    // ---- Keys

    document.addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || mdbook_something_else_has_focus(event)) return;
        const turn = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
        if (turn && !event.shiftKey) document.querySelector(`.turn a[rel=${turn}]`)?.click();
        else if (event.key === "?") element("help").showPopover();
        else if ((event.key === "s" || event.key === "/") && !asked) {
            event.preventDefault();
            search();
        }
    });
})();
