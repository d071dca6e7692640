/** Attacks of a web page on a kernel, run in the browser. Each resolves with what it learned; '' is nothing. */
globalThis.attempts = {
  /** Sends a request, with a preflight if the browser requires it. */
  ask: (method, address, type, body) =>
    told(fetch(address, { method, headers: type ? { 'content-type': type } : {}, body })),

  /** Sends a request without a preflight, and without access to the response. */
  askBlindly: (method, address, body) => told(fetch(address, { method, mode: 'no-cors', body })),

  /** Submits a form, as pages without scripts do: one field whose name and value become JSON around an equals sign. */
  form: (address, enctype, name, value) =>
    new Promise(resolve => {
      const target = element('iframe', { name: `frame${document.forms.length}` });
      target.onload = () => resolve(textOf(target));
      const form = element('form', { method: 'post', action: address, enctype, target: target.name });
      form.append(Object.assign(document.createElement('input'), { name, value }));
      form.submit();
    }),

  /** Reads the first event of a stream. */
  stream: address =>
    new Promise(resolve => {
      const source = new EventSource(address);
      const end = what => {
        source.close();
        resolve(what);
      };
      source.onmessage = ({ data }) => end(data);
      source.onerror = () => end('');
    }),

  image: address =>
    new Promise(resolve => {
      const image = element('img', { src: address });
      image.onload = () => resolve(`${image.naturalWidth}x${image.naturalHeight}`);
      image.onerror = () => resolve('');
    }),

  script: address =>
    new Promise(resolve => {
      const script = element('script', { src: address });
      script.onload = () => resolve('ran');
      script.onerror = () => resolve('');
    }),

  /** Embeds the kernel in this page, to trick the user into clicking it. */
  frame: address =>
    new Promise(resolve => {
      const frame = element('iframe', { src: address });
      frame.onload = () => resolve(textOf(frame));
    }),
};

const told = answer =>
  answer.then(
    async response => `${response.status} ${await response.text()}`.replace(/^0 $/, ''),
    () => '',
  );

/** Returns the text of a frame as far as this page may read it. */
const textOf = frame => frame.contentDocument?.body.textContent ?? '';

function element(name, properties) {
  const made = Object.assign(document.createElement(name), properties);
  document.body.append(made);
  return made;
}
