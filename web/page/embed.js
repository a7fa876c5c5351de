// The page in another page: its listing, its picture or its exercises alone, and messages between both.
import { words } from "./words.js";
import { by, notice } from "./dom.js";
import { copy } from "./export.js";
import { fragment, hashOf, state } from "./state.js";

export const embedded = ["listing", "picture", "exercise"].find((it) => it === fragment.embed) ?? null;
// Whose messages are heard and who is told: the page around, if it is of the origin that the address names,
// else of this page's own. A page from a file has the origin null, to which nothing can be addressed.
const origin = fragment.origin ?? self.origin;

export function tell(message) {
  if (parent !== window) parent.postMessage(message, origin === "null" ? "*" : origin);
}

// `acts` by the word of a message; each gives what the answer says.
let beside = () => ({});

// `of` gives what an address of a part has beside the state.
export function startEmbed(acts, of) {
  beside = of;
  if (embedded) document.documentElement.dataset.embed = embedded;
  by("whole").addEventListener("click", async (it) => (it.target.href = location.href.replace(/#.*$/, "") + (await hashOf({}))), { capture: true });
  for (const it of document.querySelectorAll("[data-embedding]")) it.addEventListener("click", () => snippet(it.dataset.embedding));
  addEventListener("message", async ({ source, origin: sender, data }) => {
    if (parent === window || source !== parent || sender !== origin || !Object.hasOwn(acts, data?.umm)) return;
    tell({ umm: "result", id: data.id, ...(await acts[data.umm](data)) });
  });
}

const heights = { listing: 420, picture: 640, exercise: 480 };

async function snippet(embed) {
  by("embeds").open = false;
  const address = location.href.replace(/#.*$/, "") + (await hashOf({ embed, ...beside(embed) }));
  const text = `<iframe src="${address}" title="${state.name || words.title}" width="100%" height="${heights[embed]}" style="border:0" loading="lazy"></iframe>`;
  await copy(text);
  notice(words.copied(text));
}
