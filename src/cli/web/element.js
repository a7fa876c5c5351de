// <umm-playground src="playground.html" embed="picture" state='{"name": "transpose", "set": {"n": 16}}'>:
// the playground in a page. A listing of its own may stand between the tags. It fires `ready`, `result` and
// `score` with the playground's message as `detail`; `load(state)` and `run()` give a promise of the result.
customElements.define("umm-playground", class extends HTMLElement {
  // A page from a file has the origin null, to which nothing can be addressed.
  #origin = "null";
  #frame = document.createElement("iframe");
  #asked = new Map();
  #last = 0;

  connectedCallback() {
    // While a page is read, what stands between the tags is not there yet.
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => this.#begin(), { once: true });
    else this.#begin();
  }

  #begin() {
    const address = new URL(this.getAttribute("src") ?? "playground.html", document.baseURI);
    const parts = { embed: this.getAttribute("embed"), seed: this.getAttribute("seed"), item: this.getAttribute("item"), origin: self.origin };
    address.hash = new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== null));
    const text = this.textContent.trim();
    const state = { ...(text ? { listing: `${text}\n` } : {}), ...JSON.parse(this.getAttribute("state") ?? "{}") };
    if (address.protocol !== "file:") this.#origin = address.origin;
    addEventListener("message", this.hear = ({ source, origin: sender, data }) => {
      if (source !== this.#frame.contentWindow || sender !== this.#origin || !data?.umm) return;
      if (data.umm === "ready" && Object.keys(state).length) this.load(state);
      this.#asked.get(data.id)?.(data);
      this.#asked.delete(data.id);
      this.dispatchEvent(new CustomEvent(data.umm, { detail: data }));
    });
    this.#frame.src = address;
    this.#frame.title = this.getAttribute("title") ?? "Memory machine playground";
    this.#frame.style = `border: 0; width: 100%; height: ${this.getAttribute("height") ?? "640px"}`;
    this.style.display ||= "block";
    this.replaceChildren(this.#frame);
  }

  disconnectedCallback() {
    removeEventListener("message", this.hear);
  }

  load(state) {
    return this.#ask({ umm: "load", state });
  }

  run() {
    return this.#ask({ umm: "run" });
  }

  #ask(message) {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#frame.contentWindow.postMessage({ ...message, id }, this.#origin === "null" ? "*" : this.#origin);
    });
  }
});
