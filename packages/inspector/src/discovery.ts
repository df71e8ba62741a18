import { chmod, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Environment, isJsonObject, messageOf } from 'client-ts/internal';
import { InspectorError } from './inspector-error.ts';

/** An inspector of a running program, as its discovery file describes it. */
export interface DiscoveredInspector {
  readonly pid: number;
  readonly program: string;
  /** The address without a token. */
  readonly origin: string;
  /** Mints one-time tokens. */
  readonly secret: string;
}

/**
 * Returns the directory of discovery files: `client-ts` in `XDG_RUNTIME_DIR`, or one of the user's own in the
 * directory for temporary files.
 */
export function discoveryDirectory(env: Environment): string {
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  return runtime === ''
    ? join(tmpdir(), `client-ts-${userInfo().username}`)
    : join(runtime, 'client-ts');
}

/** Writes the discovery file of an inspector, which only the user can read, and removes it when disposed. */
export async function announce(
  inspector: DiscoveredInspector,
  env: Environment,
): Promise<AsyncDisposable> {
  const directory = discoveryDirectory(env);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await checkOwn(directory);
  const { port } = new URL(inspector.origin);
  const file = join(directory, `inspector-${inspector.pid}-${port}.json`);
  // A file of a process that had the same id may have other rights.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(inspector)}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(file, 0o600);
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/**
 * Returns the inspectors of the running programs of this user. Files of processes that are gone, of other
 * users, and files that others could have written are ignored.
 */
export async function discover(env: Environment): Promise<DiscoveredInspector[]> {
  const directory = discoveryDirectory(env);
  const names = await readdir(directory).catch(() => []);
  const found: DiscoveredInspector[] = [];
  for (const name of names.filter((each) => /^inspector-\d+-\d+\.json$/.test(each)).sort()) {
    const inspector = await readInspector(join(directory, name)).catch(() => undefined);
    if (inspector !== undefined && isAlive(inspector.pid)) found.push(inspector);
  }
  return found;
}

/** Returns an address of a running inspector with a new one-time token. */
export async function requestUrl({ origin, secret, pid }: DiscoveredInspector): Promise<string> {
  try {
    const response = await fetch(`${origin}/api/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
    });
    const answer: unknown = response.ok ? await response.json() : undefined;
    if (isJsonObject(answer) && typeof answer['url'] === 'string') return answer['url'];
    throw new InspectorError(
      'INSPECTOR_NOT_FOUND',
      `the server at ${origin} is not the inspector of process ${pid}`,
    );
  } catch (cause) {
    if (cause instanceof InspectorError) throw cause;
    const message = `the inspector of process ${pid} at ${origin} does not answer: ${messageOf(cause)}`;
    throw new InspectorError('INSPECTOR_NOT_FOUND', message, { cause });
  }
}

async function readInspector(file: string): Promise<DiscoveredInspector | undefined> {
  await checkOwn(file);
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isJsonObject(value)) return undefined;
  const { pid, program, origin, secret } = value;
  if (typeof pid !== 'number' || typeof secret !== 'string') return undefined;
  if (typeof program !== 'string' || typeof origin !== 'string') return undefined;
  // The secret must not be sent to another machine.
  if (!/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(origin)) return undefined;
  return { pid, program, origin, secret };
}

/** Throws if others could have put something there: names in a shared directory can be taken first. */
async function checkOwn(path: string): Promise<void> {
  const { uid, mode } = await lstat(path);
  const { uid: own } = userInfo();
  const isShared = process.platform !== 'win32' && (uid !== own || (mode & 0o077) !== 0);
  if (!isShared) return;
  const message = `${path} belongs to another user or can be used by others`;
  throw new InspectorError('INSPECTOR_NOT_FOUND', message);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
