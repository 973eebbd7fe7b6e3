"use strict";
// Figures that run the engine: `<div class="engine" data-live="NAME">` holds a recorded picture, and `engine/NAME.js` puts its
// controls before it. The engine itself, 5.4 MB, comes when one of them is pressed and not before.

(function () {
    const places = document.querySelectorAll(".engine");
    if (!places.length) return;
    // Wherever the book is served from, the engine is beside its scripts.
    const home = new URL("../engine/", document.currentScript.src);
    const obstacle =
        location.protocol === "file:" ? "This page was opened as a file, and then a browser does not start the engine. With \u201cmdbook serve book\u201d it runs here." :
        typeof WebAssembly !== "object" ? "The engine is WebAssembly, which this browser lacks or forbids." :
        typeof Worker !== "function" ? "The engine needs a web worker, which this browser lacks or forbids." : "";
    const fault = (place, words) => place.prepend(Object.assign(document.createElement("p"), { className: "fault", textContent: words }));
    places.forEach((place, which) => {
        if (obstacle) return fault(place, obstacle);
        const id = (name) => `engine-${which}-${name}`;
        import(new URL(`${place.dataset.live}.js`, home))
            .then((figure) => figure.default(place, id))
            .catch((error) => fault(place, `This figure did not load: ${error.message}`));
    });
})();
