import { ApiServer } from '@client-ts/apiserver';
import { DynamicClient, type DynamicResourceClient } from 'client-ts/dynamic';
import { type Clock, type Random, sleep, systemClock } from 'client-ts/internal';
import { RESTClient } from 'client-ts/rest';
import { createTransport } from 'client-ts/transport';

import { ServerLog } from '../informers/server-log.ts';
import { fastClock } from '../recordings/fast-clock.ts';
import { kinds, prepare, type SoakKind } from './kinds.ts';
import { Subject, type SubjectSettings } from './subject.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { Writer } from './writer.ts';

/** How much faster the clock of server and clients runs: an hour takes two minutes. */
const speed = 30;
const namespace = 'soak';
const protocols = ['auto', 'http1'] as const;

/** The informers of each kind. The protocol alternates between kinds. */
const settings: readonly Omit<SubjectSettings, 'kind' | 'protocol'>[] = [
  { queue: 'in-order', useWatchList: true, codec: 'protobuf' },
  { queue: 'delta', useWatchList: false, codec: 'json', pageSize: 7 },
];

/** One kind, with its writer, its server log and the informers under test. */
export interface Scene {
  readonly kind: SoakKind;
  readonly writer: Writer;
  readonly log: ServerLog;
  /** A client that is not disturbed. */
  readonly admin: DynamicResourceClient;
  readonly subjects: readonly Subject[];
}

/** A server and all its clients. Disposing it ends them all, the server last. */
export class Stage implements AsyncDisposable {
  readonly server: ApiServer;
  readonly scenes: Scene[] = [];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #rest: RESTClient;
  readonly #resources: AsyncDisposable[];

  private constructor(server: ApiServer, clock: Clock, random: Random) {
    this.server = server;
    this.#clock = clock;
    this.#random = random;
    const config = { server: server.url, transport: server.transport() };
    this.#rest = new RESTClient(config, { clock });
    this.#resources = [server, this.#rest];
  }

  static async set(random: Random): Promise<Stage> {
    const clock = fastClock(speed);
    const users = kinds.flatMap((_, kind) => settings.map((__, setting) => userOf(kind, setting)));
    const tokens = Object.fromEntries(
      users.map((name) => [tokenOf(name), { name, groups: ['system:masters'] }]),
    );
    const stage = new Stage(await ApiServer.start({ clock, random, tokens }), clock, random);
    await prepare(stage.#rest, namespace);
    for (const number of kinds.keys()) await stage.#addScene(number);
    return stage;
  }

  get subjects(): readonly Subject[] {
    return this.scenes.flatMap(({ subjects }) => subjects);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const resource of this.#resources.toReversed()) await resource[Symbol.asyncDispose]();
  }

  async #addScene(number: number): Promise<void> {
    const kind = kinds[number] as SoakKind;
    const admin = new DynamicClient(this.#rest).resource(kind.gvr).namespace(namespace);
    const log = this.#own(await ServerLog.start(admin, this.#clock));
    const timing = { connectMs: 600_000, handshakeMs: 600_000 };
    const transport = this.#own(
      createTransport(this.server.config, { clock: this.#clock, timing, env: {} }),
    );
    const client = new DynamicClient(RESTClient.over(transport, { clock: this.#clock }))
      .resource(kind.gvr)
      .namespace(namespace);
    const writer = new Writer(kind, client, this.#random);
    const subjects: Subject[] = [];
    for (const [index, setting] of settings.entries()) {
      const protocol = protocols[(number + index) % protocols.length] ?? 'auto';
      const user = userOf(number, index);
      subjects.push(await this.#addSubject({ ...setting, kind, protocol }, user));
    }
    this.scenes.push({ kind, admin, log, writer, subjects });
  }

  async #addSubject(subjectSettings: SubjectSettings, user: string): Promise<Subject> {
    const { server } = this;
    const random = this.#random;
    const proxy = await TcpProxy.start(Number(new URL(server.url).port));
    const config = {
      ...server.config,
      server: `https://127.0.0.1:${proxy.port}`,
      auth: { token: tokenOf(user) },
    };
    const { faults } = server;
    const world = { clock: this.#clock, random, namespace, faults, proxy, config, user };
    const subject = this.#own(new Subject(subjectSettings, world));
    subject.handle({ name: 'quick' });
    subject.handle({ name: 'slow', behaviour: () => sleep(systemClock, random.next() * 3) });
    subject.handle({ name: 'resynced', resyncPeriodMs: 60_000 });
    subject.handle({
      name: 'throwing',
      behaviour: () => {
        throw new Error('as always');
      },
    });
    return subject;
  }

  #own<T extends AsyncDisposable>(resource: T): T {
    this.#resources.push(resource);
    return resource;
  }
}

function userOf(kind: number, setting: number): string {
  return `reader-${kind}-${setting}`;
}

function tokenOf(user: string): string {
  return `token-of-${user}`;
}
