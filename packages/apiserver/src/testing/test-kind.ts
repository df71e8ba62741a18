import assert from 'node:assert/strict';

import { isJsonObject } from 'client-ts/internal';

import type { TestObject } from './test-object.ts';
import { type Answer, TestServer } from './test-server.ts';

/** Part of an object: laid over a whole one, field by field; undefined takes a field away. */
export type Part = Readonly<Record<string, unknown>>;

/** What to change, and what is wrong then, as `field: message`. */
export type Row = readonly [change: Part, ...findings: string[]];

/** One kind on a server of its own, and an object of it that is fine as it is. */
export class TestKind implements Disposable {
  readonly server: TestServer;
  readonly #path: string;
  readonly #valid: Part;

  /** `path` is that of the collection. */
  constructor(path: string, valid: Part, server: TestServer = new TestServer()) {
    this.#path = path;
    this.#valid = valid;
    this.server = server;
  }

  [Symbol.dispose](): void {
    this.server[Symbol.dispose]();
    assert.deepEqual(this.server.errors, []);
  }

  /** The answer to a create that leaves nothing behind. */
  async tryCreate(change: Part = {}): Promise<Answer> {
    return await this.server.post(`${this.#path}?dryRun=All`, overlay(this.#valid, change));
  }

  /** What a create would make of the object. */
  async created(change: Part = {}): Promise<TestObject> {
    return objectIn(await this.tryCreate(change));
  }

  /** An object that is there. */
  async given(change: Part = {}): Promise<TestObject> {
    return objectIn(await this.server.post(this.#path, overlay(this.#valid, change)));
  }

  /** The answer to an update of an object that leaves it as it was. */
  async tryUpdate(object: TestObject, change: Part, subresource = ''): Promise<Answer> {
    const url = `${this.#path}/${object.metadata.name}${subresource}?dryRun=All`;
    return await this.server.put(url, overlay(object, change));
  }

  /** What an update would make of an object. */
  async updated(object: TestObject, change: Part, subresource = ''): Promise<TestObject> {
    return objectIn(await this.tryUpdate(object, change, subresource));
  }

  /** Every change makes a create fail for the reasons given, in their order. */
  async refusesToCreate(rows: readonly Row[]): Promise<void> {
    for (const [change, ...findings] of rows) {
      assert.deepEqual(findingsIn(await this.tryCreate(change)), findings, JSON.stringify(change));
    }
  }

  /** The same for updates of an object; findings that come twice are told once. */
  async refusesToUpdate(object: TestObject, rows: readonly Row[], subresource = ''): Promise<void> {
    for (const [change, ...findings] of rows) {
      const answer = await this.tryUpdate(object, change, subresource);
      assert.deepEqual([...new Set(findingsIn(answer))], findings, JSON.stringify(change));
    }
  }

  /** The texts of the warnings about a create. */
  async warnings(change: Part = {}): Promise<string[]> {
    return warningsIn(await this.tryCreate(change));
  }
}

function objectIn({ status, text, body }: Answer): TestObject {
  assert.ok(status < 300, text);
  return body;
}

/** `field: message` of every cause; a refusal for another reason is told by its message. */
export function findingsIn({ status, body }: Answer): string[] {
  if (status < 300) return [];
  if (status !== 422) return [`${status}: ${body.message ?? ''}`];
  return (body.details?.causes ?? []).map(({ field = '', message = '' }) => `${field}: ${message}`);
}

/** The texts in the `Warning` headers of an answer. */
export function warningsIn({ headers }: Answer): string[] {
  return [headers['warning'] ?? []]
    .flat()
    .map((text) => JSON.parse(text.replace(/^299 - /, '')) as string);
}

/** Objects are merged, anything else is replaced. */
export function overlay(base: object, change: Part): Record<string, unknown> {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const below = result[key];
    if (value === undefined) delete result[key];
    else result[key] = isJsonObject(below) && isJsonObject(value) ? overlay(below, value) : value;
  }
  return result;
}
