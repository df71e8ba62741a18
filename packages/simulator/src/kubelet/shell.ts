import { posix } from 'node:path';
import { PassThrough, type Readable, Writable } from 'node:stream';

import { getKey } from 'client-ts/internal';

import type { ContainerFile } from './container-files.ts';
import { print, type Program, type ProgramContext } from './program.ts';
import { parseScript, type ShellCommand, type ShellWord } from './shell-syntax.ts';

/**
 * A small shell: `sh -c SCRIPT`, a script on its input, or a prompt on a terminal. It knows quotes,
 * variables, `;`, `&&`, `||`, pipes and redirections, and the built-in commands `cd`, `exit`,
 * `export`, `pwd` and `test`.
 */
export const shell: Program = async (context) => {
  const [, first, script, ...parameters] = context.args;
  const session = new ShellSession(context, parameters);
  if (first?.startsWith('-') === true && first.includes('c')) {
    return await session.execute(script ?? '');
  }
  return context.terminal === undefined ? await session.executeInput() : await session.converse();
};

class ShellSession {
  readonly #context: ProgramContext;
  readonly #variables: Map<string, string>;
  #directory: string;
  #code = 0;
  #isOver = false;

  constructor(context: ProgramContext, [name = 'sh', ...parameters]: readonly string[]) {
    this.#context = context;
    this.#directory = context.workingDirectory;
    this.#variables = new Map(Object.entries(context.env));
    for (const [index, value] of [name, ...parameters].entries()) {
      this.#variables.set(String(index), value);
    }
  }

  /** Runs a script, and returns the exit code of its last command. */
  async execute(script: string): Promise<number> {
    const parsed = parseScript(script);
    if (typeof parsed === 'string') {
      await print(this.#context.stderr, `sh: ${parsed}\n`);
      this.#code = 2;
      return this.#code;
    }
    for (const { operator, pipeline } of parsed) {
      if (operator === '&&' && this.#code !== 0) continue;
      if (operator === '||' && this.#code === 0) continue;
      this.#code = await this.#runPipeline(pipeline);
      if (this.#isOver) break;
    }
    return this.#code;
  }

  /** Runs the lines of the input. */
  async executeInput(): Promise<number> {
    for await (const line of linesOf(this.#context.stdin)) {
      await this.execute(line);
      if (this.#isOver) break;
    }
    return this.#code;
  }

  /** Prompts for lines on a terminal. */
  async converse(): Promise<number> {
    const { stdout, stdin } = this.#context;
    const prompt = (): Promise<void> => print(stdout, `${this.#directory} # `);
    this.#context.onInterrupt(() => void prompt());
    await prompt();
    for await (const line of linesOf(stdin)) {
      await this.execute(line);
      if (this.#isOver) return this.#code;
      await prompt();
    }
    await print(stdout, '\n');
    return this.#code;
  }

  async #runPipeline(commands: readonly ShellCommand[]): Promise<number> {
    let { stdin } = this.#context;
    const running: Promise<number>[] = [];
    for (const [index, command] of commands.entries()) {
      const isLast = index === commands.length - 1;
      const pipe = isLast ? undefined : new PassThrough();
      const streams = { stdin, stdout: pipe ?? this.#context.stdout };
      running.push(
        this.#runCommand(command, streams).finally(() => {
          pipe?.end();
        }),
      );
      if (pipe !== undefined) stdin = pipe;
    }
    const codes = await Promise.all(running);
    return codes.at(-1) ?? 0;
  }

  async #runCommand(
    { words, redirections, assignments }: ShellCommand,
    streams: { readonly stdin: Readable; readonly stdout: Writable },
  ): Promise<number> {
    const args = words.map((word) => this.#expand(word)).filter((word) => word !== undefined);
    if (args.length === 0) {
      for (const { name, value } of assignments) {
        this.#variables.set(name, this.#expand(value) ?? '');
      }
      return 0;
    }
    const redirected = await this.#redirect(redirections, streams);
    if (redirected === undefined) return 1;
    const env = this.#environment(assignments);
    const code = await this.#runProgram(args, { ...redirected.streams, env });
    for (const { path, chunks } of redirected.files) this.#write(path, Buffer.concat(chunks));
    return code;
  }

  /** Applies redirections in their order. Returns undefined, after a message, if one is impossible. */
  async #redirect(
    redirections: ShellCommand['redirections'],
    streams: { readonly stdin: Readable; readonly stdout: Writable },
  ): Promise<Redirected | undefined> {
    const { stderr: errors, files } = this.#context;
    let { stdin } = streams;
    const outputs = new Map<number, Writable>([
      [1, streams.stdout],
      [2, errors],
    ]);
    const written: WrittenFile[] = [];
    for (const { kind, descriptor, target } of redirections) {
      const text = this.#expand(target) ?? '';
      const path = posix.resolve(this.#directory, text);
      if (kind === '<') {
        const file = files.find(path);
        if (file?.kind !== 'file') {
          await print(errors, `sh: can't open ${path}: no such file\n`);
          return undefined;
        }
        stdin = new PassThrough().end(file.content);
        continue;
      }
      const output = kind === '>&' ? outputs.get(Number(text)) : this.#file(path, kind, written);
      if (output === undefined || !outputs.has(descriptor)) {
        await print(errors, `sh: ${text}: bad file descriptor\n`);
        return undefined;
      }
      outputs.set(descriptor, output);
    }
    const { stdout } = streams;
    return {
      streams: { stdin, stdout: outputs.get(1) ?? stdout, stderr: outputs.get(2) ?? errors },
      files: written,
    };
  }

  /** Returns a stream whose content is written to a file when the command has ended. */
  #file(path: string, kind: '>' | '>>', written: WrittenFile[]): Writable {
    const before = kind === '>>' ? this.#context.files.find(path) : undefined;
    const chunks: Buffer[] = before?.kind === 'file' ? [Buffer.from(before.content)] : [];
    written.push({ path, chunks });
    return new Writable({
      write: (chunk: Buffer, _, done) => {
        chunks.push(chunk);
        done();
      },
    });
  }

  #write(path: string, content: Buffer): void {
    if (path === '/dev/null') return;
    const modifiedMs = this.#context.clock.now();
    const file: ContainerFile = { kind: 'file', mode: 0o644, modifiedMs, content };
    this.#context.files.put(path, file);
  }

  async #runProgram(args: readonly string[], change: Partial<ProgramContext>): Promise<number> {
    const { stdout = this.#context.stdout } = change;
    switch (args[0]) {
      case 'cd':
        return await this.#changeDirectory(args[1] ?? '/root');
      case 'exit':
        this.#isOver = true;
        return args[1] === undefined ? this.#code : Number(args[1]) & 0xff;
      case 'export':
        for (const word of args.slice(1)) {
          const [name = '', value] = word.split(/=(.*)/s, 2);
          if (value !== undefined) this.#variables.set(name, value);
        }
        return 0;
      case 'pwd':
        await print(stdout, `${this.#directory}\n`);
        return 0;
      default:
        return await this.#context.run(args, { ...change, workingDirectory: this.#directory });
    }
  }

  async #changeDirectory(path: string): Promise<number> {
    const place = posix.resolve(this.#directory, path);
    if (this.#context.files.find(place)?.kind === 'folder') {
      this.#directory = place;
      return 0;
    }
    await print(this.#context.stderr, `sh: cd: can't cd to ${path}\n`);
    return 2;
  }

  #environment(assignments: ShellCommand['assignments']): Record<string, string> {
    const own = assignments.map(({ name, value }) => [name, this.#expand(value) ?? ''] as const);
    return Object.fromEntries([...this.#variables, ...own]);
  }

  /** Returns the text of a word; undefined if it is nothing but an unset variable. */
  #expand(word: ShellWord): string | undefined {
    const text = word.parts
      .map((part) => (part.kind === 'text' ? part.text : this.#variable(part.name)))
      .join('');
    return text === '' && !word.isQuoted ? undefined : text;
  }

  #variable(name: string): string {
    if (name === '?') return String(this.#code);
    if (name === 'PWD') return this.#directory;
    return this.#variables.get(name) ?? '';
  }
}

/** A file that a command writes. */
interface WrittenFile {
  readonly path: string;
  readonly chunks: Buffer[];
}

/** The streams of a command after its redirections, and the files behind them. */
interface Redirected {
  readonly streams: Pick<ProgramContext, 'stdin' | 'stdout' | 'stderr'>;
  readonly files: readonly WrittenFile[];
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    rest += chunk.toString();
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const FILE_TESTS: Readonly<Record<string, (file: ContainerFile | undefined) => boolean>> = {
  '-d': (file) => file?.kind === 'folder',
  '-e': (file) => file !== undefined,
  '-f': (file) => file?.kind === 'file',
};

/** `test -d PATH`, `-e`, `-f`, `-n TEXT`, `-z TEXT`, `A = B`, `A != B`. Also as `[`. */
export const test: Program = ({ args, files, workingDirectory }) => {
  const words = args.slice(1).filter((word) => word !== ']');
  const [first = '', second = '', third = ''] = words;
  const check = words.length === 2 ? getKey(FILE_TESTS, first) : undefined;
  if (check !== undefined) {
    return check(files.find(posix.resolve(workingDirectory, second))) ? 0 : 1;
  }
  if (first === '-n' || first === '-z') return (second === '') === (first === '-z') ? 0 : 1;
  if (second === '=' || second === '!=') return (first === third) === (second === '=') ? 0 : 1;
  return words.length === 1 && first !== '' ? 0 : 1;
};
