/** Loaded before the tests of a mutant: replaces the source of one module as it is loaded. */
import * as module from 'node:module';

/**
 * @typedef {(url: string, context: unknown) => object} Load
 * @typedef {{ load: (url: string, context: unknown, next: Load) => object }} Hooks
 */

// The types are those of the oldest Node that the library supports, which has no such function yet.
/** @type {(hooks: Hooks) => void} */
const registerHooks = Reflect.get(module, 'registerHooks');

const url = process.env['CLIENT_TS_MUTANT_URL'];
const source = process.env['CLIENT_TS_MUTANT_SOURCE'];

registerHooks({
  load: (asked, context, next) => {
    const loaded = next(asked, context);
    return asked === url ? { ...loaded, source } : loaded;
  },
});
