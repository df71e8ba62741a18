import { posix } from 'node:path';

import { messageOf } from 'client-ts/internal';

import type { ContainerFile, ContainerFiles } from './container-files.ts';
import { print, type Program } from './program.ts';

const BLOCK = 512;
const TYPES = { file: '0', link: '2', folder: '5', longName: 'L', longLink: 'K' } as const;

/**
 * `tar cf - PATHS` and `tar xf - -C FOLDER`, as `kubectl cp` calls them: an archive on standard
 * output or input, with modes and times.
 */
export const tar: Program = async ({ args, files, stdin, stdout, stderr, workingDirectory }) => {
  const { mode, folder, paths } = readArguments(args.slice(1), workingDirectory);
  try {
    if (mode === 'create') {
      for (const path of paths) {
        for (const block of archive(files, folder, path)) await print(stdout, block);
      }
      await print(stdout, Buffer.alloc(2 * BLOCK));
      return 0;
    }
    await extract(stdin as AsyncIterable<Buffer>, files, folder);
    return 0;
  } catch (error) {
    await print(stderr, `tar: ${messageOf(error)}\n`);
    return 1;
  }
};

function readArguments(
  args: readonly string[],
  workingDirectory: string,
): { mode: 'create' | 'extract'; folder: string; paths: string[] } {
  let mode: 'create' | 'extract' = 'extract';
  let folder = workingDirectory;
  const paths: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const isFirst = index === 0;
    if (word === '-C') folder = posix.resolve(folder, args[(index += 1)] ?? '');
    else if (word.startsWith('--')) continue;
    else if (word !== '-' && (word.startsWith('-') || isFirst)) {
      if (word.includes('c')) mode = 'create';
      // The archive is always standard input or output.
      if (word.includes('f')) index += 1;
    } else if (word !== '-') paths.push(word);
  }
  return { mode, folder, paths };
}

function* archive(files: ContainerFiles, folder: string, path: string): Generator<Uint8Array> {
  const place = posix.resolve(folder, path);
  const entry = files.entry(place);
  if (entry === undefined) throw new Error(`${path}: Cannot stat: No such file or directory`);
  const name = path.replace(/^\/+/, '') || '.';
  yield* member(name, entry);
  if (entry.kind !== 'folder') return;
  for (const child of files.list(place)) yield* archive(files, folder, posix.join(path, child));
}

function* member(name: string, entry: ContainerFile): Generator<Uint8Array> {
  const full = entry.kind === 'folder' ? `${name}/` : name;
  const target = entry.kind === 'link' ? entry.target : '';
  const content = entry.kind === 'file' ? entry.content : new Uint8Array();
  if (Buffer.byteLength(full) > 100) yield* longText(full, TYPES.longName);
  if (Buffer.byteLength(target) > 100) yield* longText(target, TYPES.longLink);
  yield header(full, entry, content.length, TYPES[entry.kind], target);
  yield content;
  yield Buffer.alloc(padding(content.length));
}

function* longText(text: string, type: string): Generator<Uint8Array> {
  const content = Buffer.from(`${text}\0`);
  yield header('././@LongLink', { mode: 0, modifiedMs: 0 }, content.length, type, '');
  yield content;
  yield Buffer.alloc(padding(content.length));
}

function header(
  name: string,
  { mode, modifiedMs }: Pick<ContainerFile, 'mode' | 'modifiedMs'>,
  size: number,
  type: string,
  target: string,
): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, width: number): void =>
    void block.write(
      `${Math.floor(value)
        .toString(8)
        .padStart(width - 1, '0')}\0`,
      at,
    );
  block.write(name, 0, 100);
  octal(mode & 0o7777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.max(0, modifiedMs / 1000), 136, 12);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(target, 157, 100);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Reads an archive into a folder. Members that would leave the folder are refused. */
async function extract(
  input: AsyncIterable<Buffer>,
  files: ContainerFiles,
  folder: string,
): Promise<void> {
  const reader = new BlockReader(input);
  let next: { path?: string; target?: string } = {};
  for (;;) {
    const block = await reader.read(BLOCK);
    if (block === undefined || block.every((byte) => byte === 0)) break;
    const size = numberAt(block, 124, 12);
    const content = size === 0 ? Buffer.alloc(0) : await reader.read(size);
    if (content === undefined) throw new Error('Unexpected EOF in archive');
    if (padding(size) > 0) await reader.read(padding(size));
    const type = String.fromCharCode(block[156] ?? 0);
    if (type === 'L') next.path = textAt(content, 0, content.length);
    else if (type === 'K') next.target = textAt(content, 0, content.length);
    else if (type === 'x') next = { ...next, ...paxFields(content.toString()) };
    else {
      put(files, folder, block, type, content, next);
      next = {};
    }
  }
  // The writer may send more padding; it must not be left waiting.
  await reader.drain();
}

function put(
  files: ContainerFiles,
  folder: string,
  block: Buffer,
  type: string,
  content: Buffer,
  next: { readonly path?: string; readonly target?: string },
): void {
  const prefix = textAt(block, 345, 155);
  const short = textAt(block, 0, 100);
  const name = next.path ?? (prefix === '' ? short : `${prefix}/${short}`);
  const place = posix.join(folder, name);
  if (name.split('/').includes('..')) throw new Error(`${name}: Member name contains '..'`);
  const mode = numberAt(block, 100, 8);
  const modifiedMs = numberAt(block, 136, 12) * 1000;
  if (type === '5') files.put(place, { kind: 'folder', mode, modifiedMs });
  else if (type === '2') {
    const target = next.target ?? textAt(block, 157, 100);
    files.put(place, { kind: 'link', mode, modifiedMs, target });
  } else if (type === '0' || type === '\0') {
    files.put(place, { kind: 'file', mode, modifiedMs, content: Buffer.from(content) });
  }
}

function paxFields(text: string): { path?: string; target?: string } {
  const path = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
  const target = /(?:^|\n)\d+ linkpath=([^\n]*)\n/.exec(text)?.[1];
  return { ...(path !== undefined && { path }), ...(target !== undefined && { target }) };
}

function textAt(block: Buffer, start: number, length: number): string {
  return block.toString('utf8', start, start + length).replace(/\0.*$/s, '');
}

function numberAt(block: Buffer, start: number, length: number): number {
  const text = textAt(block, start, length).trim();
  const value = text === '' ? 0 : Number.parseInt(text, 8);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error('This does not look like a tar archive');
  return value;
}

class BlockReader {
  readonly #iterator: AsyncIterator<Buffer>;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(input: AsyncIterable<Buffer>) {
    this.#iterator = input[Symbol.asyncIterator]();
  }

  /** Returns exactly this many bytes; undefined if the input ends before. */
  async read(count: number): Promise<Buffer | undefined> {
    while (this.#size < count) {
      const next = await this.#iterator.next();
      if (next.done === true) return undefined;
      this.#chunks.push(next.value);
      this.#size += next.value.length;
    }
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [all.subarray(count)];
    this.#size = all.length - count;
    return all.subarray(0, count);
  }

  async drain(): Promise<void> {
    while ((await this.#iterator.next()).done !== true);
  }
}
