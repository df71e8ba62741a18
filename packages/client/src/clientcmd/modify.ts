import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Document, isScalar, visit, YAMLMap, YAMLSeq } from '#yaml';
import { ConfigError } from './config-error.ts';
import { linkTarget, replaceFile } from './write-kubeconfig.ts';

/** The part of the lazily loaded parser that {@link removeShadowedKeys} uses. */
interface YamlTools {
  readonly isScalar: typeof isScalar;
  readonly visit: typeof visit;
}

const EMPTY =
  'apiVersion: v1\nkind: Config\nclusters: []\nusers: []\ncontexts: []\ncurrent-context: ""\n';

/**
 * A kubeconfig that is being edited. Everything that no method changes is preserved, including
 * comments.
 */
export class EditableKubeConfig {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  setCurrentContext(name: string): void {
    this.#document.set('current-context', name);
  }

  /** Adds or replaces an entry. Fields are named as in the file: `certificate-authority-data`. */
  setCluster(name: string, fields: Readonly<Record<string, unknown>>): void {
    this.#entry('clusters', name).set('cluster', this.#document.createNode(fields));
  }

  setUser(name: string, fields: Readonly<Record<string, unknown>>): void {
    this.#entry('users', name).set('user', this.#document.createNode(fields));
  }

  setContext(name: string, fields: Readonly<Record<string, unknown>>): void {
    this.#entry('contexts', name).set('context', this.#document.createNode(fields));
  }

  /** Changes some fields of a context, or adds it, and keeps the others, including extensions. */
  updateContext(name: string, fields: Readonly<Record<string, string>>): void {
    const entry = this.#entry('contexts', name);
    if (!entry.has('context')) entry.set('context', this.#document.createNode({}));
    for (const [key, value] of Object.entries(fields)) entry.setIn(['context', key], value);
  }

  /** Changes the name of a context and keeps its fields and its place. */
  renameContext(from: string, to: string): void {
    this.#entry('contexts', from).set('name', to);
  }

  /** Changes some keys of a user's auth provider and keeps the others. */
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
    const found = this.#document.get(list, true) as YAMLSeq | { value?: unknown } | undefined;
    if (found !== undefined && 'items' in found && Array.isArray(found.items)) {
      found.flow = false;
      return found;
    }
    if (found !== undefined && !('value' in found && found.value === null)) {
      throw new ConfigError('CONFIG_INVALID', `${list}: must be a list to be changed`, {
        hint: 'Replace the alias with its content.',
      });
    }
    const created = this.#document.createNode([]) as YAMLSeq;
    this.#document.set(list, created);
    return created;
  }
}

/**
 * Edits a kubeconfig file under a lock: a lock file beside it excludes other programs, including
 * kubectl, and the file is replaced atomically. A symbolic link is preserved, and the file behind
 * it keeps its mode. A new file is readable only by its owner.
 */
export async function modifyConfig(
  file: string,
  change: (config: EditableKubeConfig) => void,
): Promise<void> {
  const yaml = await import('#yaml');
  const target = await linkTarget(file);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  // Other programs may use either name.
  await using _lock = await lockFile(file);
  await using _targetLock = target === file ? undefined : await lockFile(target);
  const text = await readFile(target, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
    throw new ConfigError('CONFIG_UNREADABLE', `${file}: cannot be read`, { cause: error });
  });
  // Silent, because documents after the first are not an error.
  const options = { version: '1.1', uniqueKeys: false, logLevel: 'silent' } as const;
  const document = yaml.parseDocument(text, options);
  if (document.errors.length > 0) {
    throw new ConfigError('CONFIG_INVALID', `${file}: not valid YAML; nothing was changed`);
  }
  removeShadowedKeys(document, yaml);
  const config = new EditableKubeConfig(document);
  change(config);
  const others = text.slice(document.range[2]);
  await replaceFile(target, `${config.toString()}${others}`, { mode: 'keep' }).catch(
    (error: unknown) => {
      throw new ConfigError('CONFIG_UNWRITABLE', `${file}: cannot be written`, { cause: error });
    },
  );
}

/**
 * Removes all but the last of equal keys, which takes effect, so that edits change it.
 */
function removeShadowedKeys(document: Document, { isScalar, visit }: YamlTools): void {
  visit(document, {
    Map: (_key, map) => {
      const last = new Map<unknown, number>();
      const nameOf = (key: unknown): unknown => (isScalar(key) ? key.value : key);
      map.items.forEach(({ key }, index) => last.set(nameOf(key), index));
      map.items = map.items.filter(({ key }, index) => last.get(nameOf(key)) === index);
    },
  });
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
