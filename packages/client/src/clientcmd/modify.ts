import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { ConfigError } from './config-error.ts';

const EMPTY =
  'apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\ncurrent-context: ""\n';

/** A kubeconfig that is being changed. What nobody touches stays as it is, comments included. */
export class EditableKubeConfig {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  setCurrentContext(name: string): void {
    this.#document.set('current-context', name);
  }

  /** Adds or replaces an entry; `fields` are named as in the file: `certificate-authority-data`. */
  setCluster(name: string, fields: Readonly<Record<string, unknown>>): void {
    this.#entry('clusters', name).set('cluster', this.#document.createNode(fields));
  }

  setUser(name: string, fields: Readonly<Record<string, unknown>>): void {
    this.#entry('users', name).set('user', this.#document.createNode(fields));
  }

  setContext(name: string, fields: Readonly<Record<string, unknown>>): void {
    this.#entry('contexts', name).set('context', this.#document.createNode(fields));
  }

  /** Changes some keys of a user's auth provider and leaves the others. */
  setUserAuthProvider(name: string, config: Readonly<Record<string, string>>): void {
    for (const [key, value] of Object.entries(config)) {
      this.#entry('users', name).setIn(['user', 'auth-provider', 'config', key], value);
    }
  }

  removeCluster(name: string): void {
    this.#remove('clusters', name);
  }

  removeUser(name: string): void {
    this.#remove('users', name);
  }

  removeContext(name: string): void {
    this.#remove('contexts', name);
  }

  toString(): string {
    return this.#document.toString({ lineWidth: 0 });
  }

  #entry(list: string, name: string): YAMLMap {
    const items = this.#list(list).items as YAMLMap[];
    const found = items.find((item) => item.get('name') === name);
    if (found !== undefined) return found;
    const created = this.#document.createNode({ name }) as YAMLMap;
    items.push(created);
    return created;
  }

  #remove(list: string, name: string): void {
    const sequence = this.#list(list);
    sequence.items = (sequence.items as YAMLMap[]).filter((item) => item.get('name') !== name);
  }

  #list(list: string): YAMLSeq {
    const found = this.#document.get(list, true) as YAMLSeq | undefined;
    if (Array.isArray(found?.items)) {
      found.flow = false;
      return found;
    }
    const created = this.#document.createNode([]) as YAMLSeq;
    this.#document.set(list, created);
    return created;
  }
}

/**
 * Changes a kubeconfig file while nobody else does: a lock file beside it keeps other programs out,
 * kubectl among them, and the new content replaces the old in one step. The file is created if there
 * is none, readable for its owner only.
 */
export async function modifyConfig(
  file: string,
  change: (config: EditableKubeConfig) => void,
): Promise<void> {
  const { parseDocument } = await import('yaml');
  await mkdir(dirname(file), { recursive: true });
  await using _lock = await lockFile(file);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
    throw new ConfigError('CONFIG_UNREADABLE', `${file}: cannot be read`, { cause: error });
  });
  const document = parseDocument(text, { version: '1.1' });
  if (document.errors.length > 0) {
    throw new ConfigError('CONFIG_INVALID', `${file}: not valid YAML; nothing was changed`);
  }
  const config = new EditableKubeConfig(document);
  change(config);
  const fresh = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(fresh, config.toString(), { mode: 0o600 });
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw new ConfigError('CONFIG_UNWRITABLE', `${file}: cannot be written`, { cause: error });
  }
}

async function lockFile(file: string): Promise<AsyncDisposable> {
  const path = `${file}.lock`;
  try {
    const handle = await open(path, 'wx', 0o000);
    await handle.close();
  } catch (error) {
    const isHeld = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new ConfigError(
      'CONFIG_UNWRITABLE',
      isHeld ? `${file}: is locked by another program` : `${path}: cannot be created`,
      {
        cause: error,
        ...(isHeld && { hint: `If no program is changing it, remove ${path}.` }),
      },
    );
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}
