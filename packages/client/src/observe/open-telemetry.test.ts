import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadOpenTelemetry } from './open-telemetry.ts';

/** Fails as an import does where the package is not installed. */
async function importMissing(name: string): Promise<unknown> {
  const missing = `${name}-that-is-not-installed`;
  return (await import(missing)) as unknown;
}

describe('loadOpenTelemetry', () => {
  it('returns the installed package', async () => {
    const api = await loadOpenTelemetry();
    assert.equal(typeof api?.trace.getTracer, 'function');
  });

  it('returns nothing if it is not installed', async () => {
    assert.equal(await loadOpenTelemetry(importMissing), undefined);
    const ofDeno = new TypeError('Import "@opentelemetry/api" not a dependency');
    assert.equal(await loadOpenTelemetry(() => Promise.reject(ofDeno)), undefined);
  });

  it('throws what goes wrong in the package itself', async () => {
    const fault = new TypeError('x is not a function');
    await assert.rejects(
      loadOpenTelemetry(() => Promise.reject(fault)),
      fault,
    );
  });
});
