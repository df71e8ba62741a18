import assert from 'node:assert/strict';

import { isJsonObject } from 'client-ts/internal';

import type { TestObject } from './test-object.ts';
import { type Answer, TestServer } from './test-server.ts';

/** A partial object, merged over a whole one; undefined removes a field. */
export type Part = Readonly<Record<string, unknown>>;

/** A change and the expected errors, as `field: message`. */
export type Row = readonly [change: Part, ...findings: string[]];

/** One kind on its own server, with a valid object of the kind. */
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

  /** Creates with dry run and returns the response. */
  async tryCreate(change: Part = {}): Promise<Answer> {
    return await this.server.post(`${this.#path}?dryRun=All`, overlay(this.#valid, change));
  }

  /** Returns the object that a create would make. */
  async created(change: Part = {}): Promise<TestObject> {
    return objectIn(await this.tryCreate(change));
  }

  /** Creates an object. */
  async given(change: Part = {}): Promise<TestObject> {
    return objectIn(await this.server.post(this.#path, overlay(this.#valid, change)));
  }

  /** Updates with dry run and returns the response. */
  async tryUpdate(object: TestObject, change: Part, subresource = ''): Promise<Answer> {
    const url = `${this.#path}/${object.metadata.name}${subresource}?dryRun=All`;
    return await this.server.put(url, overlay(object, change));
  }

  /** Returns the object that an update would make. */
  async updated(object: TestObject, change: Part, subresource = ''): Promise<TestObject> {
    return objectIn(await this.tryUpdate(object, change, subresource));
  }

  /** Asserts that every change makes a create fail with the given errors, in order. */
  async refusesToCreate(rows: readonly Row[]): Promise<void> {
    for (const [change, ...findings] of rows) {
      assert.deepEqual(findingsIn(await this.tryCreate(change)), findings, JSON.stringify(change));
    }
  }

  /** Asserts the same for updates of an object, without duplicate errors. */
  async refusesToUpdate(object: TestObject, rows: readonly Row[], subresource = ''): Promise<void> {
    for (const [change, ...findings] of rows) {
      const answer = await this.tryUpdate(object, change, subresource);
      assert.deepEqual([...new Set(findingsIn(answer))], findings, JSON.stringify(change));
    }
  }

  /** Returns the warnings of a create. */
  async warnings(change: Part = {}): Promise<string[]> {
    return warningsIn(await this.tryCreate(change));
  }
}

function objectIn({ status, text, body }: Answer): TestObject {
  assert.ok(status < 300, text);
  return body;
}

/** Returns `field: message` of every cause, or the message of an error without causes. */
export function findingsIn({ status, body }: Answer): string[] {
  if (status < 300) return [];
  if (status !== 422) return [`${status}: ${body.message ?? ''}`];
  return (body.details?.causes ?? []).map(({ field = '', message = '' }) => `${field}: ${message}`);
}

/** Returns the texts of the `Warning` headers. */
export function warningsIn({ headers }: Answer): string[] {
  return [headers['warning'] ?? []]
    .flat()
    .map((text) => JSON.parse(text.replace(/^299 - /, '')) as string);
}

/** Merges objects and replaces anything else. */
export function overlay(base: object, change: Part): Record<string, unknown> {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const below = result[key];
    if (value === undefined) delete result[key];
    else result[key] = isJsonObject(below) && isJsonObject(value) ? overlay(below, value) : value;
  }
  return result;
}
