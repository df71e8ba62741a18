import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { abortable, nodeHttp, sleep as wait } from 'client-ts/internal';
import { formatTime } from 'client-ts/meta';

import { between } from '../chance.ts';
import { print, type Program, type ProgramContext } from './program.ts';
import { shell, test } from './shell.ts';
import { tar } from './tar.ts';

/** Prints its arguments; `-n` leaves out the line break, `-e` is accepted. */
export const echo: Program = async ({ args, stdout }) => {
  let words = args.slice(1);
  let end = '\n';
  for (; words[0] === '-n' || words[0] === '-e'; words = words.slice(1)) {
    if (words[0] === '-n') end = '';
  }
  await print(stdout, `${words.join(' ')}${end}`);
  return 0;
};

/** Copies its input, or the files that it is given, to its output. */
export const cat: Program = async ({ args, stdin, stdout, stderr, files, workingDirectory }) => {
  const paths = args.slice(1);
  let code = 0;
  for (const path of paths.length === 0 ? ['-'] : paths) {
    if (path === '-') {
      for await (const chunk of stdin as AsyncIterable<Buffer>) await print(stdout, chunk);
      continue;
    }
    const file = files.find(posix.resolve(workingDirectory, path));
    if (file?.kind === 'file') await print(stdout, file.content);
    else {
      const problem = file === undefined ? 'No such file or directory' : 'Is a directory';
      await print(stderr, `cat: ${path}: ${problem}\n`);
      code = 1;
    }
  }
  return code;
};

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

/** Waits: `sleep 5`, `sleep 0.5`, `sleep 2m`, `sleep infinity`. */
export const sleep: Program = async ({ args, stderr, clock, signal }) => {
  const text = args[1] ?? '';
  if (text === 'infinity') return await untilKilled(signal);
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text) ?? [];
  if (number === '') {
    await print(stderr, `sleep: invalid time interval '${text}'\n`);
    return 1;
  }
  await wait(clock, Number(number) * (UNITS.get(unit) ?? 1) * 1000, { signal });
  return 0;
};

/** Never returns; rejects when the process is killed. */
export async function untilKilled(signal: AbortSignal): Promise<never> {
  return await abortable(new Promise<never>(() => undefined), signal);
}

const MESSAGES: readonly (readonly [level: string, text: string])[] = [
  ['INFO', 'request served'],
  ['INFO', 'cache hit'],
  ['INFO', 'session refreshed'],
  ['DEBUG', 'pool has 8 idle connections'],
  ['WARN', 'slow query'],
  ['INFO', 'heartbeat'],
];

/**
 * Writes a line of log about once a second, without end: `logs`, `logs INTERVAL_SECONDS`,
 * `logs INTERVAL_SECONDS LINES`.
 */
export const logs: Program = async ({ args, stdout, hostname, clock, random, signal }) => {
  const intervalMs = Number(args[1] ?? '1') * 1000;
  const lines = Number(args[2] ?? 'Infinity');
  for (let line = 1; line <= lines; line += 1) {
    const [level, text] = MESSAGES[Math.floor(random.next() * MESSAGES.length)] ?? [
      'INFO',
      'ready',
    ];
    const tookMs = Math.round(between(random, 1, 250));
    const time = formatTime(clock.now());
    await print(stdout, `${time} ${level} ${hostname} ${text} line=${line} took=${tookMs}ms\n`);
    if (line < lines) await wait(clock, intervalMs * between(random, 0.5, 1.5), { signal });
  }
  return 0;
};

/** Serves HTTP on the ports of its arguments, or of the pod spec, or 80. Logs every request. */
export const http: Program = async (context) => {
  const { args, ports, stdout, stderr, signal } = context;
  const given = args.slice(1).map(Number);
  const all = given.length > 0 ? given : ports.length > 0 ? ports : [80];
  const server = nodeHttp().createServer((request, response) => {
    answer(request, response, context).catch((error: unknown) =>
      stderr.write(`${String(error)}\n`),
    );
  });
  server.on('clientError', (_, socket) => socket.destroy());
  // They end with the process.
  for (const port of all) {
    context.listen(port, (connection) => server.emit('connection', connection));
  }
  await print(stdout, `listening on ${all.join(', ')}\n`);
  return await untilKilled(signal);
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { hostname, stdout, clock }: ProgramContext,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const body = await buffer(request);
  const isEcho = url.startsWith('/echo');
  const text = isEcho ? body : Buffer.from(`Hello from ${hostname}: ${method} ${url}\n`);
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(text);
  await print(
    stdout,
    `${formatTime(clock.now())} INFO ${hostname} "${method} ${url}" 200 ${text.length}\n`,
  );
}

/** Returns every byte that it gets on the port of its argument, or 7. */
export const echoServer: Program = async ({ args, listen, signal }) => {
  using _listening = listen(Number(args[1] ?? '7'), (connection) => {
    connection.on('error', () => connection.destroy());
    connection.pipe(connection);
  });
  return await untilKilled(signal);
};

/** What a container without a known command runs: it serves HTTP and writes log lines. */
export const application: Program = async (context) => {
  await Promise.all([http({ ...context, args: ['http'] }), logs({ ...context, args: ['logs'] })]);
  return 0;
};

const succeed: Program = () => 0;
const fail: Program = () => 1;

const hostname: Program = async ({ hostname: name, stdout }) => {
  await print(stdout, `${name}\n`);
  return 0;
};

const env: Program = async ({ env: variables, stdout }) => {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await print(stdout, lines.join(''));
  return 0;
};

const ls: Program = async ({ args, files, stdout, stderr, workingDirectory }) => {
  const paths = args.slice(1).filter((word) => !word.startsWith('-'));
  let code = 0;
  for (const path of paths.length === 0 ? ['.'] : paths) {
    const place = posix.resolve(workingDirectory, path);
    const file = files.find(place);
    const names = file?.kind === 'folder' ? files.list(place) : [path];
    if (file !== undefined) await print(stdout, names.map((name) => `${name}\n`).join(''));
    else {
      await print(stderr, `ls: ${path}: No such file or directory\n`);
      code = 1;
    }
  }
  return code;
};

const rm: Program = async ({ args, files, stderr, workingDirectory }) => {
  const isForced = args.some((word) => /^-[rR]*f/.test(word));
  let code = 0;
  for (const path of args.slice(1).filter((word) => !word.startsWith('-'))) {
    if (files.remove(posix.resolve(workingDirectory, path)) || isForced) continue;
    await print(stderr, `rm: ${path}: No such file or directory\n`);
    code = 1;
  }
  return code;
};

const mkdir: Program = ({ args, files, clock, workingDirectory }) => {
  for (const path of args.slice(1).filter((word) => !word.startsWith('-'))) {
    const folder = { kind: 'folder', mode: 0o755, modifiedMs: clock.now() } as const;
    files.put(posix.resolve(workingDirectory, path), folder);
  }
  return 0;
};

const date: Program = async ({ clock, stdout }) => {
  await print(stdout, `${formatTime(clock.now())}\n`);
  return 0;
};

/** The size of the terminal as `stty size` prints it: rows and columns. */
const stty: Program = async ({ terminal, stdout, stderr }) => {
  if (terminal === undefined) {
    await print(stderr, 'stty: standard input: not a terminal\n');
    return 1;
  }
  const { columns, rows } = terminal.size ?? { columns: 0, rows: 0 };
  await print(stdout, `${rows} ${columns}\n`);
  return 0;
};

/** The programs of every container, by name. */
export const builtInPrograms: Readonly<Record<string, Program>> = {
  app: application,
  cat,
  date,
  echo,
  'echo-server': echoServer,
  env,
  false: fail,
  hostname,
  http,
  logs,
  ls,
  pause: ({ signal }) => untilKilled(signal),
  rm,
  mkdir,
  bash: shell,
  sh: shell,
  sleep,
  stty,
  tar,
  test,
  '[': test,
  true: succeed,
};
