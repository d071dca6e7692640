/** The minimal page that shows a turn: it only appends the text. It is the upper limit of what a page can reach. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BarePage {
  url: string;
  stop(): Promise<void>;
}

const PROGRAM = `
  const [kernel, chat] = location.hash.slice(1).split(' ').map(decodeURIComponent);
  const shown = document.querySelector('pre').firstChild;
  const follow = async () => {
    const { body } = await fetch(kernel + '/v1/chats/' + chat + '/live?follow=true');
    let rest = '';
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + piece).split('\\n\\n');
      rest = frames.pop();
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        const event = data && JSON.parse(data);
        if (event?.type === 'text_delta') shown.appendData(event.text);
      }
    }
  };
  follow();
`;
const PAGE = `<!doctype html><title>Bare</title><link rel="icon" href="data:,"><textarea aria-label="Message"></textarea>
<pre style="height:700px;overflow:auto;white-space:pre-wrap"> </pre><script>${PROGRAM}</script>`;

export async function startBarePage(): Promise<BarePage> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise(resolve => server.close(() => resolve()).closeAllConnections()),
  };
}
