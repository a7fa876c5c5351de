// The module as the page's worker uses it.
import { readFileSync } from "node:fs";

export function load(path) {
  const { exports: module } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {});
  return (question) => {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const at = module.allocate(bytes.length);
    new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
    const length = module.ask(at, bytes.length);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(module.memory.buffer, module.answer(), length)));
  };
}
