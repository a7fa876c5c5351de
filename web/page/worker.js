// A worker has the module to itself: it may take long, run out of memory or trap, and be ended.
let module;

self.onmessage = ({ data }) => {
  if (data.module) {
    // At once: a question may wait behind it.
    module = new WebAssembly.Instance(data.module, {}).exports;
    return;
  }
  try {
    self.postMessage({ id: data.id, answer: ask(data.question) });
  } catch (error) {
    self.postMessage({ id: data.id, crashed: String(error) });
  }
};

function ask(question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const at = module.allocate(bytes.length);
  new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
  const length = module.ask(at, bytes.length);
  const answer = new Uint8Array(module.memory.buffer, module.answer(), length);
  return new TextDecoder().decode(answer);
}
