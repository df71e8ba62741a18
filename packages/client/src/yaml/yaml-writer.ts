import { type ScalarTag, stringify, type Tags } from '#yaml';

import { withDigits } from './yaml-documents.ts';

/**
 * Returns a JSON value, such as an object of the API, as YAML in the style of Kubernetes: keys in their order, lists not indented, long
 * lines not folded. Strings that Go's YAML reader would take for another type are quoted.
 */
export function writeYaml(value: unknown): string {
  return stringify(value, {
    version: '1.1',
    customTags: goTags,
    indentSeq: false,
    lineWidth: 0,
    defaultStringType: 'PLAIN',
    defaultKeyType: 'PLAIN',
  });
}

function goTags(tags: Tags): Tags {
  const known = tags.filter((tag) => typeof tag === 'string' || tag.tag !== mergeKey.tag);
  return [...known.map(withDigits), mergeKey];
}

/** Makes the writer quote `<<`, which would read as a merge. */
const mergeKey: ScalarTag = {
  tag: 'tag:yaml.org,2002:merge',
  default: true,
  test: /^<<$/,
  resolve: (text) => text,
};
