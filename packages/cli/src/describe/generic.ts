import { formatGo, isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';

import type { Describer } from './describer.ts';
import { field, indent, type Lines } from './lines.ts';
import { identity, labelsAndAnnotations, sorted } from './values.ts';

/** What is shown above the fields, or not at all. */
const shownAbove = new Set(['annotations', 'labels', 'managedFields', 'name', 'namespace']);

/** Any object: all of its fields, with words for names. */
export const genericDescriber: Describer = {
  hasEvents: true,
  lines: (object) => {
    const rest = Object.entries(object.metadata ?? {}).filter(([name]) => !shownAbove.has(name));
    const shown = { ...object, metadata: Object.fromEntries(rest) };
    return [identity(object), labelsAndAnnotations(object), fields(shown)];
  },
};

function fields(object: JsonObject): Lines {
  return sorted(object).map(([name, value]) => {
    const label = labelFor(name);
    if (isJsonObject(value)) return [`${label}:`, indent(fields(value))];
    if (Array.isArray(value)) return [`${label}:`, indent(value.map(item))];
    return field(label, formatGo(value));
  });
}

function item(value: JsonValue): Lines {
  return isJsonObject(value) ? fields(value) : formatGo(value);
}

const acronyms = new Set(['API', 'URL', 'UID', 'GUID']);

/** The words of a name: `Api Version`, `Cluster IP`. Names with digits or signs are not split. */
export function labelFor(name: string): string {
  if (/[^\p{L}-]/u.test(name)) return name;
  return mergeAcronyms(wordsOf(name))
    .map((word) => {
      if (acronyms.has(word.toUpperCase())) return word.toUpperCase();
      return word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    })
    .join(' ');
}

/** `podCIDRs` is `pod`, `CID`, `Rs`: the last capital belongs to the small letters after it. */
function wordsOf(name: string): string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{Lu}\p{Ll}]+/gu) ?? [];
}

function mergeAcronyms(words: readonly string[]): string[] {
  const merged: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const next = words[index + 1] ?? '';
    const isAcronym = word.length > 1 && !/\p{L}/u.test(word.replaceAll(/\p{Lu}/gu, ''));
    const isMerged = isAcronym && /^\p{Lu}/u.test(next);
    merged.push(isMerged ? word + next : word);
    if (isMerged) index += 1;
  }
  return merged.filter((word) => word !== '');
}
