import { registerHooks } from 'node:module';

/** Marks the modules of the copy. */
const MARK = '?without-hooks';

/** What asks whether anything observes, in the compiled library. */
const QUESTIONS =
  /(?<![#.\w])(?!this\b)\w+\.(?:isWanted|hasSubscribers)\b|(?<!function )\b(?:areCausesWanted|areRequestsDiagnosed|haveRequestsSubscribers)\(\)/g;

/**
 * Imports a module of `client-ts` from a copy of the library that never asks whether anything observes it:
 * every such question is the constant `false`, so that the compiler leaves out what depends on it.
 */
export function importWithoutHooks(/** @type {string} */ specifier) {
  return import(import.meta.resolve(specifier) + MARK);
}

let replaced = 0;

/** The number of questions that were replaced so far. */
export const questions = () => replaced;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const isCopy = context.parentURL?.endsWith(MARK) === true && specifier.startsWith('.');
    return isCopy ? { ...resolved, url: resolved.url + MARK } : resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(MARK)) return loaded;
    const source = String(loaded.source).replace(QUESTIONS, () => {
      replaced += 1;
      return 'false';
    });
    return { ...loaded, source };
  },
});
