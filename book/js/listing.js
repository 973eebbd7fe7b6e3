"use strict";
// Listings: a button that copies the code as it should be, and folds that open. Code in a line of text: one piece.

(function () {
    // The new code: no removed lines, folded lines included. Marks are no text: the style shows them.
    function cleanCode(listing) {
        const left = (part) => part instanceof Element && part.matches("del, .gap, .fold, .beside");
        return Array.from(listing.querySelector(".rows").childNodes)
            .filter((part) => !left(part))
            .map((part) => part.textContent)
            .join("");
    }

    function copyText(text) {
        if (navigator.clipboard && window.isSecureContext) {
            return navigator.clipboard.writeText(text);
        }
        // A book opened from the disk has no clipboard object.
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        return done ? Promise.resolve() : Promise.reject(new Error("not copied"));
    }

    // A line must not break after the dashes of `--kv`.
    for (const code of document.querySelectorAll("main :not(pre) > code")) {
        if (code.textContent.length <= 16) code.classList.add("short");
    }

    for (const figure of document.querySelectorAll("figure.code")) {
        const listing = figure.querySelector("pre.listing");
        const caption = figure.querySelector("figcaption");
        if (!listing || !caption) continue;
        const button = document.createElement("button");
        button.type = "button";
        button.className = "copy";
        button.textContent = "Copy";
        button.setAttribute("aria-label", "Copy this code without marks");
        button.addEventListener("click", () => {
            copyText(cleanCode(listing)).then(
                () => { button.textContent = "Copied"; },
                () => { button.textContent = "Not copied"; },
            );
            setTimeout(() => { button.textContent = "Copy"; }, 1600);
        });
        caption.append(button);
        listing.tabIndex = 0;
        listing.setAttribute("role", "region");
        listing.setAttribute("aria-label", caption.textContent.replace(/Copy$/, "").trim());
        for (const fold of listing.querySelectorAll(".fold")) {
            fold.addEventListener("click", () => {
                listing.querySelector(".rows").classList.add("unfolded");
                for (const other of listing.querySelectorAll(".fold")) other.remove();
            });
        }
    }
})();
