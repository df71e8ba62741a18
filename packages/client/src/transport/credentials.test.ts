import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { AuthConfig, Credentials, CredentialSource } from './config.ts';
import { configuredCredentials, Reloaded } from './credentials.ts';

function sourceOf(auth: AuthConfig, clock = new VirtualClock()): CredentialSource | undefined {
  return configuredCredentials(auth, { clock, tokenMaxAgeMs: 50_000 });
}

async function authorization(source: CredentialSource | undefined): Promise<string | undefined> {
  return (await source?.get())?.authorization;
}

class TokenDirectory implements AsyncDisposable {
  readonly path: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, 'token');
  }

  static async create(): Promise<TokenDirectory> {
    return new TokenDirectory(await mkdtemp(join(tmpdir(), 'client-ts-token-')));
  }

  async write(content: string): Promise<void> {
    await writeFile(this.path, content);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true });
  }
}

describe('configuredCredentials', () => {
  it('makes the header of a token, and of user and password', async () => {
    assert.equal(await authorization(sourceOf({ token: 'abc' })), 'Bearer abc');
    const basic = await authorization(sourceOf({ username: 'jürgen', password: 'a:b' }));
    assert.equal(basic, `Basic ${Buffer.from('jürgen:a:b').toString('base64')}`);
    assert.equal(
      await authorization(sourceOf({ username: 'u' })),
      `Basic ${Buffer.from('u:').toString('base64')}`,
    );
    assert.equal(sourceOf({}), undefined);
  });

  it('uses a source of its own only if nothing is given', async () => {
    const source: CredentialSource = {
      get: async (): Promise<Credentials> => ({ authorization: 'Bearer made' }),
      refused: () => undefined,
    };
    assert.equal(sourceOf({ source }), source);
    assert.equal(await authorization(sourceOf({ source, token: 'abc' })), 'Bearer abc');
  });
});

describe('a token file', () => {
  it('is read again after a minute, without its line end', async () => {
    await using directory = await TokenDirectory.create();
    await directory.write('first\n');
    const clock = new VirtualClock();
    const source = sourceOf({ tokenFile: directory.path, token: 'given' }, clock);
    assert.equal(await authorization(source), 'Bearer first');
    await directory.write('second');
    await clock.advance(49_000);
    assert.equal(await authorization(source), 'Bearer first');
    await clock.advance(1000);
    assert.equal(await authorization(source), 'Bearer second');
  });

  it('is read again when its token is refused, but not for an older one', async () => {
    await using directory = await TokenDirectory.create();
    await directory.write('first');
    const source = sourceOf({ tokenFile: directory.path });
    const first = (await source?.get()) as Credentials;
    await directory.write('second');
    source?.refused({ authorization: 'Bearer older' });
    assert.equal(await authorization(source), 'Bearer first');
    source?.refused(first);
    assert.equal(await authorization(source), 'Bearer second');
  });

  it('keeps the last good token when the file is missing or empty, and reports it', async () => {
    await using directory = await TokenDirectory.create();
    await directory.write('first');
    const clock = new VirtualClock();
    const source = sourceOf({ tokenFile: directory.path }, clock);
    await source?.get();
    const messages: unknown[] = [];
    const listen = (message: unknown): void => void messages.push(message);
    subscribe('client-ts:credentials:reload', listen);
    try {
      await directory.write(' \n');
      await clock.advance(50_000);
      assert.equal(await authorization(source), 'Bearer first');
      await rm(directory.path);
      await clock.advance(1000);
      assert.equal(await authorization(source), 'Bearer first');
      await directory.write('second');
      await clock.advance(1000);
      assert.equal(await authorization(source), 'Bearer second');
    } finally {
      unsubscribe('client-ts:credentials:reload', listen);
    }
    assert.deepEqual(
      messages.map((message) => {
        const { what, outcome } = message as { what: string; outcome: string };
        return `${what} ${outcome}`;
      }),
      ['token failed', 'token failed', 'token updated'],
    );
    assert.doesNotMatch(JSON.stringify(messages), /first|second/);
  });

  it('is stood in for by the token that is given, until it can be read', async () => {
    await using directory = await TokenDirectory.create();
    const source = sourceOf({ tokenFile: directory.path, token: 'given' });
    assert.equal(await authorization(source), 'Bearer given');
    await directory.write('read');
    assert.equal(await authorization(source), 'Bearer read');
  });

  it('is named when it cannot be read and there is nothing else', async () => {
    await using directory = await TokenDirectory.create();
    const source = sourceOf({ tokenFile: directory.path });
    await assert.rejects(async () => source?.get(), {
      code: 'TRANSPORT_CREDENTIALS_FAILED',
      message: `auth.tokenFile: cannot read ${directory.path}`,
    });
  });
});

describe('Reloaded', () => {
  it('loads when first asked, and again when the value is old', async () => {
    const clock = new VirtualClock();
    let loads = 0;
    const value = new Reloaded({ clock, maxAgeMs: 60_000, load: async () => ++loads });
    assert.equal(loads, 0);
    assert.equal(await value.get(), 1);
    await clock.advance(59_999);
    assert.equal(await value.get(), 1);
    await clock.advance(1);
    assert.equal(await value.get(), 2);
  });

  it('shares one load among concurrent calls', async () => {
    let loads = 0;
    const load = async (): Promise<number> => ++loads;
    const value = new Reloaded({ clock: new VirtualClock(), maxAgeMs: 1, load });
    assert.deepEqual(await Promise.all([value.get(), value.get(), value.get()]), [1, 1, 1]);
  });

  it('keeps the last good value while loading fails, and tries again soon', async () => {
    const clock = new VirtualClock();
    const failures: unknown[] = [];
    let loads = 0;
    const value = new Reloaded({
      clock,
      maxAgeMs: 60_000,
      load: async () => {
        loads += 1;
        if (loads === 2 || loads === 3) throw new Error(`failure ${loads}`);
        return loads;
      },
      onFailure: (error) => failures.push(error),
    });
    assert.equal(await value.get(), 1);
    await clock.advance(60_000);
    assert.equal(await value.get(), 1);
    assert.equal(await value.get(), 1);
    assert.equal(loads, 2);
    await clock.advance(1000);
    assert.equal(await value.get(), 1);
    await clock.advance(1000);
    assert.equal(await value.get(), 4);
    assert.deepEqual(failures.map(String), ['Error: failure 2', 'Error: failure 3']);
  });

  it('fails until there is a value, and tries again with each call', async () => {
    let loads = 0;
    const value = new Reloaded({
      clock: new VirtualClock(),
      maxAgeMs: 60_000,
      load: async () => {
        loads += 1;
        if (loads < 3) throw new Error('not there');
        return 'there';
      },
    });
    await assert.rejects(value.get(), /not there/);
    await assert.rejects(value.get(), /not there/);
    assert.equal(await value.get(), 'there');
  });

  it('loads again after expire()', async () => {
    let loads = 0;
    const load = async (): Promise<number> => ++loads;
    const value = new Reloaded({ clock: new VirtualClock(), maxAgeMs: 60_000, load });
    await value.get();
    value.expire();
    assert.equal(await value.get(), 2);
  });
});
