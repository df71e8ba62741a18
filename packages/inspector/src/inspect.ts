import { basename } from 'node:path';
import type { Manager } from 'client-ts/controller';
import type { DiagnosedInformer } from 'client-ts/cache';
import type { InformerFactory } from 'client-ts/informers';
import {
  type Clock,
  type Environment,
  type LoggerOption,
  loggerOf,
  messageOf,
  OptionError,
  systemClock,
  systemEnvironment,
} from 'client-ts/internal';
import type { RESTClient } from 'client-ts/rest';
import type { FeedController, Session } from 'client-ts/observe';
import type { WorkQueue } from 'client-ts/workqueue';
import { announce } from './discovery.ts';
import { InspectorError } from './inspector-error.ts';
import { InspectorServer } from './inspector-server.ts';
import { LiveSource } from './live-source.ts';
import type { Retention } from './record-store.ts';
import { sessionLines } from './session-lines.ts';
import { SessionSource } from './session-source.ts';

/** Where the page is served, and to whom. */
export interface ServeOptions extends LoggerOption {
  /** The address to listen on. Default `127.0.0.1`: only this machine can reach it. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Names by which browsers may reach the server, besides those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * `token`: the address has a token, which can be used once and becomes a cookie. `open`: every program on
   * this machine may look; refused for addresses that other machines can reach. Default `token`.
   */
  readonly access?: 'open' | 'token' | undefined;
  readonly env?: Environment | undefined;
  readonly clock?: Clock | undefined;
}

/** A client, of which requests are shown: `Clientset`, `DynamicClient`, `RESTClient` and all others. */
export type InspectedClient = Pick<RESTClient, 'id'> | { readonly rest: Pick<RESTClient, 'id'> };

/** Options of {@link inspect}. */
export interface InspectOptions extends ServeOptions {
  /** Its controllers are shown before they work, and with `actions` their keys can be enqueued. */
  readonly manager?: Pick<Manager, 'clientIds' | 'controllers'> | undefined;
  /** Their informers are shown before they run. */
  readonly factories?: readonly Pick<InformerFactory, 'clientIds' | 'informers'>[] | undefined;
  /** Queues of keys. They are shown before they have workers, and with `actions` keys can be enqueued. */
  readonly queues?: readonly WorkQueue<string>[] | undefined;
  /**
   * Only the requests of these clients are shown, and those of `manager` and `factories`. Clients that share a
   * `RESTClient` are one. Default: the requests of all clients in the process.
   */
  readonly clients?: readonly InspectedClient[] | undefined;
  /** The name of the program, for people. Default: the name of its file. */
  readonly program?: string | undefined;
  /** Allows to add keys to queues. Default false: nothing can be changed. */
  readonly actions?: boolean | undefined;
  /** How much is kept to scroll back. Default 32 MiB and 10 minutes. */
  readonly retention?: Partial<Retention> | undefined;
  /**
   * How many changes, additions to queues, reconciles and requests are recorded per second of processor time,
   * each, and at least a fifth of it per second; what is not used is saved for bursts, up to that of ten
   * seconds. More are only counted. Default 50.
   */
  readonly maxPerSecond?: number | undefined;
  /**
   * Writes a file that only this user can read, so that `client-ts inspect --pid PID` finds the program.
   * Default true.
   */
  readonly discovery?: boolean | undefined;
}

/** A served page. `await using` closes it at the end of a block. */
export interface InspectorPage extends AsyncDisposable {
  /** The address to open. Its token can be used once; each read of this property makes another one. */
  readonly url: string;
  /** The address without a token. */
  readonly origin: string;
  /** Returns what was recorded, as the text of a file that `client-ts inspect FILE` opens. */
  session(): string;
  close(): Promise<void>;
}

/** Bursts may have the records of so many seconds: after a quiet time, a program is recorded as a whole. */
const BURST_S = 10;

/**
 * Serves a page that shows what this program is doing: informers, queues, controllers, requests, elections
 * and events, live and some minutes back. Everything in the process is shown; the options name what is not
 * running yet, and `clients` whose requests are of interest. Does not keep the process alive.
 *
 * ```ts
 * await using page = await inspect({ manager });
 * console.log(page.url);
 * ```
 *
 * Data of Secrets and credentials are never sent. Reading only, unless `actions` is true. Rejects with an
 * `InspectorError` if it cannot listen, and with an `OptionError` for an option that it does not have.
 */
export async function inspect(options: InspectOptions = {}): Promise<InspectorPage> {
  checkNames(options);
  checkAccess(options);
  const { clock = systemClock, env = systemEnvironment(), discovery = true } = options;
  const logger = loggerOf(options.logger);
  const { manager, factories = [], queues = [], maxPerSecond = 50 } = options;
  const program = options.program ?? basename(process.argv[1] ?? 'node');
  const source = new LiveSource({
    program,
    pid: process.pid,
    retention: { bytes: 32 * 2 ** 20, durationMs: 10 * 60_000, ...options.retention },
    actions: options.actions === true,
    maxPerSecond,
    burst: BURST_S * maxPerSecond,
    processorTimeMs,
    informers: () => [...factories.flatMap(({ informers }) => informers), ...informersOf(manager)],
    queues: () => queues,
    controllers: () => controllersOf(manager),
    clients: clientIds(options),
    clock,
    logger,
  });
  try {
    const server = await InspectorServer.start(source, serverOptions(options));
    const { origin, access } = server;
    const announced = discovery
      ? await announce({ pid: process.pid, program, origin, secret: access.secret }, env).catch(
          (error: unknown) => {
            logger.warn(`inspector: --pid will not find this program: ${messageOf(error)}`);
            return undefined;
          },
        )
      : undefined;
    return pageOf(server, source, async () => {
      await announced?.[Symbol.asyncDispose]();
      source[Symbol.dispose]();
    });
  } catch (error) {
    source[Symbol.dispose]();
    throw error;
  }
}

/**
 * Serves the page with a recorded session, in which one can step back and forth. Keeps the process alive until
 * it is closed.
 */
export async function inspectSession(
  session: Session,
  options: ServeOptions = {},
): Promise<InspectorPage> {
  checkAccess(options);
  const source = new SessionSource(session);
  const server = await InspectorServer.start(source, serverOptions(options));
  return pageOf(server, source, async () => undefined);
}

function pageOf(
  server: InspectorServer,
  source: Pick<SessionSource, 'header' | 'records'>,
  end: () => Promise<void>,
): InspectorPage {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= end().then(() => server[Symbol.asyncDispose]());
    return closing;
  };
  return {
    get url() {
      return server.newUrl();
    },
    origin: server.origin,
    session: () => [...sessionLines(source)].join(''),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function serverOptions(options: ServeOptions): Parameters<typeof InspectorServer.start>[1] {
  const { host = '127.0.0.1', port = 0, allowedHosts = [], access = 'token' } = options;
  const { clock = systemClock } = options;
  const needsToken = access === 'token';
  return { host, port, allowedHosts, needsToken, clock, logger: loggerOf(options.logger) };
}

const NAMES: Readonly<Record<keyof InspectOptions, true>> = {
  access: true,
  actions: true,
  allowedHosts: true,
  clients: true,
  clock: true,
  discovery: true,
  env: true,
  factories: true,
  host: true,
  logger: true,
  manager: true,
  maxPerSecond: true,
  port: true,
  program: true,
  queues: true,
  retention: true,
};

/** An option that is ignored would look as if it chose what is shown. */
function checkNames(options: InspectOptions): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(NAMES, name)) continue;
    throw new OptionError(name, 'is not an option of inspect');
  }
}

function clientIds({ clients, manager, factories = [] }: InspectOptions): number[] | undefined {
  if (clients === undefined) return undefined;
  const given = clients.map((client, index) => {
    const { rest = client } = Object(client) as { readonly rest?: unknown };
    const { id } = Object(rest) as { readonly id?: unknown };
    if (typeof id === 'number') return id;
    throw new OptionError(`clients[${index}]`, 'is not a client');
  });
  const others = factories.flatMap((factory) => factory.clientIds);
  return [...given, ...(manager?.clientIds ?? []), ...others];
}

function checkAccess({ host = '127.0.0.1', port, access }: ServeOptions): void {
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    throw new OptionError('port', `${port} is not a port`);
  }
  if (access !== undefined && access !== 'open' && access !== 'token') {
    throw new OptionError('access', `"${String(access)}" is neither "open" nor "token"`);
  }
  if (access === 'open' && !/^(?:127(?:\.\d+){3}|localhost|::1)$/.test(host)) {
    const message = `access cannot be open on ${host}, which other machines may reach`;
    throw new InspectorError('INSPECTOR_ACCESS_REFUSED', message);
  }
}

/** Returns the processor time that this process has used. */
function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function controllersOf(manager: InspectOptions['manager']): FeedController[] {
  return (manager?.controllers ?? []).map(({ name, watches }) => ({
    name,
    informers: watches.flatMap(({ informers }) => informers),
  }));
}

function informersOf(manager: InspectOptions['manager']): DiagnosedInformer[] {
  return controllersOf(manager).flatMap(({ informers }) => informers);
}
