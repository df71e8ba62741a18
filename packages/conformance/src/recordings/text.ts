import { pointerPattern } from '../json/pointer.ts';
import type { VolatileText } from './format.ts';

/** A string without what differs from run to run. */
export interface NormalText {
  readonly text: string;
  /** The uids that stood in it, in order: their equality is checked apart. */
  readonly uids: readonly string[];
}

export type TextNormaliser = (text: string, side: 'own' | 'recorded') => NormalText;

/** The day of the recording: times of that day are the server's clock, all others are data. */
const RECORDED_DAY = '2026-11-15';

const DAY_MS = 86_400_000;

/**
 * Compiles the `volatileText` rules of a recording. Two of them are read more strictly than as
 * plain replacements: uids are collected so that their equality can be checked, and a time is only
 * taken out if it comes from the server's clock; a time that a client sent must come back the same.
 */
export function textNormaliser(rules: readonly VolatileText[], now: number): TextNormaliser {
  const compiled = rules.map((rule) => ({ ...rule, expression: new RegExp(rule.pattern, 'g') }));
  return (original, side) => {
    let text = original;
    const uids: string[] = [];
    for (const rule of compiled) {
      if (rule.as === '<uid>') {
        text = text.replace(rule.expression, (uid) => {
          uids.push(uid);
          return rule.as;
        });
      } else if (rule.as === '<time>') {
        text = text.replace(rule.expression, (time) => (isServerTime(time, side) ? rule.as : time));
      } else {
        text = text.replace(rule.expression, rule.as);
      }
    }
    return { text, uids };
  };

  function isServerTime(time: string, side: 'own' | 'recorded'): boolean {
    if (side === 'recorded') return time.startsWith(RECORDED_DAY);
    return Math.abs(Date.parse(time) - now) < DAY_MS;
  }
}

/*
 * The columns of a Table and the types and fields of OpenAPI documents have descriptions. The
 * recorded ones are Kubernetes' own documentation, which other servers do not copy: they describe
 * the same things in their own words. Only that such a description is a text is compared.
 */

const isColumnDescription = pointerPattern('/**/columnDefinitions/*/description');
const isSchemaDescription = pointerPattern('/**/components/schemas/**/description');

/** True where a text of the recording may be put into other words. */
export function isReworded(steps: readonly string[], recorded: unknown): boolean {
  return typeof recorded === 'string' && (isColumnDescription(steps) || isSchemaDescription(steps));
}

/** A description comes first in its column, folded over lines that are indented further. */
const YAML_DESCRIPTION = /^- description: .*\n(?: {4}.*\n|\n)*(?= {2}format: )/gm;

/** The text of a Table in YAML without the words of its descriptions; all other text as it is. */
export function withoutDescriptions(text: string): string {
  if (!text.startsWith('apiVersion: meta.k8s.io/') || !/^kind: Table$/m.test(text)) return text;
  return text.replaceAll(YAML_DESCRIPTION, '- description: <text>\n');
}
