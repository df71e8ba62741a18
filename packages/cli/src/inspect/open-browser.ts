import { spawn } from 'node:child_process';

/** The command of each platform that opens an address. */
const OPENERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['darwin', ['open']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
]);

/**
 * Opens an address in the browser of the user: `BROWSER`, or the opener of the platform. Resolves with false if
 * there is none.
 */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { BROWSER: own = '' } = env;
  const [command = '', ...args] =
    own === '' ? (OPENERS.get(process.platform) ?? ['xdg-open']) : [own];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
