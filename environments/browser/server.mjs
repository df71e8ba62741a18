import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const assets = new URL('../../packages/inspector/assets/', import.meta.url);

const TYPES = { css: 'text/css', html: 'text/html', js: 'text/javascript', svg: 'image/svg+xml' };

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the page with a recorded session.
 * @param {string} session the text of its file
 */
export async function serveSession(session) {
  const info = { protocol: 1, program: 'sample operator', isLive: false, actions: false };
  const answers = new Map([
    ['/api/session', JSON.stringify(info)],
    ['/api/export', session],
  ]);
  const server = createServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Content-Type', TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    response.end(answers.get(url) ?? readFileSync(new URL(name, assets)));
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}
