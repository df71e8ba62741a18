import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { listFiles } from '../lib/files.mjs';

export const about = 'plain English: none of the words that make a sentence hard to read';

/**
 * Words that we used where the field has a better one, and what to write instead. None of them is
 * wrong English; each of them was a sign of a sentence that has to be read twice.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const TELL_TALES = [
  [/\b(?:nobody|somebody|everybody|whoever|whosoever)\b/i, 'name the reader, caller, handler …'],
  [/\banew\b/i, 'again'],
  [/\bat once\b/i, 'immediately, or together'],
  [/\bby turns\b/i, 'interleaved'],
  [/\bas ever\b/i, 'unchanged'],
  [/\bby chance\b/i, 'at random'],
  [/\b(?:is|are|was|were|be|been) told\b/i, 'is notified, is called, is given'],
  [/\bhears? of\b/i, 'receives, sees'],
  [/\btells? (?:of|whether|which|when|how|the|what)\b/i, 'notifies, shows, says, contains'],
  [/\b(?:tells?|told) \w+ (?:from|apart)\b/i, 'distinguishes'],
  [/\b(?:gives?|gave|given) back\b/i, 'returns'],
  [/\b(?:gives?|gave|given|giving) up\b/i, 'cancels, stops, fails'],
  [/\b(?:lets?|letting) go\b/i, 'releases'],
  [/\bput right\b/i, 'reconciled, corrected'],
  [/\btaken in\b/i, 'accepted'],
  [/\bfor ever\b/i, 'forever, or without end'],
  [/\bhas to be told\b/i, 'must be given'],
  [/\bof (?:no )?use\b/i, 'useful'],
  [/\bconcerns? (?:no|none)\b/i, 'say what happens'],
  [/\bspeaks? to\b/i, 'sends requests to, connects to'],
];

/** Data of others, generated pages, and the checks that name these words. */
const EXEMPT =
  /^(?:LICENSE|packages\/(?:[^/]+\/(?:data|testdata|LICENSE)|codegen\/model\/(?!docs)|conformance\/recordings)|scripts\/checks\/voice|docs\/api\/|docs\/cli\.md$|docs\/errors\.md$)/;

/** @param {string} root */
export async function run(root) {
  const isText = (/** @type {string} */ path) =>
    /\.(?:md|mjs|tsx?)$/.test(path) && !EXEMPT.test(path);
  return listFiles(root, '.', isText).flatMap((path) =>
    findTellTales(path, readFileSync(join(root, path), 'utf8')),
  );
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function findTellTales(path, text) {
  return text.split('\n').flatMap((line, index) =>
    TELL_TALES.flatMap(([pattern, instead]) => {
      const found = pattern.exec(line);
      return found === null ? [] : [`${path}:${index + 1}: "${found[0]}": write ${instead}`];
    }),
  );
}
