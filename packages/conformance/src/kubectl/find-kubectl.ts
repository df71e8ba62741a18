import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

/** There is no kubectl and none could be installed; the message has the reason and the fix. */
export class NoKubectlError extends ClientError {
  constructor(message: string, options?: ClientErrorOptions) {
    super('CONFORMANCE_NO_KUBECTL', message, options);
  }

  static {
    defineErrors(this, 'NoKubectlError', 'CONFORMANCE', {
      CONFORMANCE_NO_KUBECTL: { retry: 'never' },
    });
  }
}

/** The Debian package with kubectl. */
const PACKAGE = 'kubernetes-client';

/** Where to look for kubectl; both default to this process. */
export interface KubectlSearch {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
}

const own: KubectlSearch = { env: process.env, isRoot: process.getuid?.() === 0 };

/**
 * Returns `$KUBECTL`, or the kubectl in `PATH`. Without one, installs Debian's package if possible,
 * and reports it to `say`.
 */
export async function findKubectl(
  say: (line: string) => void,
  search: KubectlSearch = own,
): Promise<string> {
  const { KUBECTL: given = '' } = search.env;
  if (given !== '') {
    if (await isExecutable(given)) return given;
    throw new NoKubectlError(`$KUBECTL is ${given}, which is not an executable file`);
  }
  const found = await inPath('kubectl', search.env);
  if (found !== undefined) return found;
  say('There is no kubectl on this machine.');
  await install(say, search);
  const installed = await inPath('kubectl', search.env);
  if (installed === undefined)
    throw new NoKubectlError(`${PACKAGE} is installed but has no kubectl`);
  return installed;
}

async function install(say: (line: string) => void, { env, isRoot }: KubectlSearch): Promise<void> {
  const hint = 'install kubectl, or set KUBECTL to one';
  if (!isRoot) throw new NoKubectlError(`no kubectl, and only root may install one: ${hint}`);
  if ((await inPath('apt-get', env)) === undefined) {
    throw new NoKubectlError(`no kubectl, and no apt-get to install one with: ${hint}`);
  }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', PACKAGE]]) {
    say(`apt-get ${args.join(' ')}`);
    const { code, output } = await run('apt-get', args, env);
    if (code !== 0) throw new NoKubectlError(`apt-get ${args[0]} failed (${hint}):\n${output}`);
  }
}

async function run(
  command: string,
  args: readonly string[],
  env: KubectlSearch['env'],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Returns the path of a program; undefined if it is not in `PATH`. */
export async function inPath(name: string, env: KubectlSearch['env']): Promise<string | undefined> {
  for (const directory of (env['PATH'] ?? '').split(delimiter)) {
    const file = join(directory, name);
    if (directory !== '' && (await isExecutable(file))) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
