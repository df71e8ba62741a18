import { setTimeout as sleep } from 'node:timers/promises';
import { type Clientset, isAlreadyExists, isConflict, isNotFound } from 'client-ts';
import { isTooManyRequests } from 'client-ts/meta';

import { WEB_SET_LABEL } from '../pods.ts';
import { webSets } from '../web-set.ts';
import type { Dice } from './dice.ts';

/** Counts of user actions. */
export interface UserCounts {
  created: number;
  deleted: number;
  scaled: number;
  changed: number;
  podsDeleted: number;
}

const NAMES = ['anna', 'bert', 'cora', 'dora', 'emil', 'fred'];

/** For several processes, each of which should have work. */
export const MANY_NAMES: readonly string[] = NAMES.flatMap((name) =>
  ['a', 'b', 'c', 'd'].map((part) => `${name}-${part}`),
);
const MOST_REPLICAS = 12;

/** Changes WebSets and deletes pods at random. */
export class Users {
  readonly counts: UserCounts = { created: 0, deleted: 0, scaled: 0, changed: 0, podsDeleted: 0 };
  readonly #client: Clientset;
  readonly #namespace: string;
  readonly #dice: Dice;
  readonly #names: readonly string[];
  #images = 0;

  constructor(client: Clientset, namespace: string, dice: Dice, names: readonly string[] = NAMES) {
    this.#client = client;
    this.#namespace = namespace;
    this.#dice = dice;
    this.#names = names;
  }

  /** Acts at random times until the signal aborts. */
  async act(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#dice.between(50, 400), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#something().catch((error: unknown) => {
        // The object was changed concurrently.
        const isNormal = [isNotFound, isAlreadyExists, isConflict, isTooManyRequests];
        if (!isNormal.some((is) => is(error))) throw error;
      });
    }
  }

  async #something(): Promise<void> {
    const sets = this.#client.resource(webSets, this.#namespace);
    const name = this.#dice.pick(this.#names) ?? '';
    const merge = { type: 'merge' } as const;
    const what = this.#dice.weighted({ create: 3, scale: 4, change: 1, delete: 1, deletePod: 4 });
    if (what === 'create') {
      const spec = { replicas: this.#replicas(), template: this.#template() };
      await sets.create({ metadata: { name }, spec });
      this.counts.created += 1;
    } else if (what === 'scale') {
      await sets.patch(name, { spec: { replicas: this.#replicas() } }, merge);
      this.counts.scaled += 1;
    } else if (what === 'change') {
      await sets.patch(name, { spec: { template: this.#template() } }, merge);
      this.counts.changed += 1;
    } else if (what === 'delete') {
      await sets.delete(name);
      this.counts.deleted += 1;
    } else await this.#deletePod();
  }

  async #deletePod(): Promise<void> {
    const pods = this.#client.coreV1.pods(this.#namespace);
    const { items } = await pods.list({ labelSelector: WEB_SET_LABEL });
    const victim = this.#dice.pick(items);
    if (victim === undefined) return;
    await pods.delete(victim.metadata.name);
    this.counts.podsDeleted += 1;
  }

  #replicas(): number {
    return this.#dice.below(MOST_REPLICAS + 1);
  }

  #template(): { readonly spec: { containers: { name: string; image: string }[] } } {
    this.#images += 1;
    return { spec: { containers: [{ name: 'web', image: `example.com/web:${this.#images}` }] } };
  }
}
