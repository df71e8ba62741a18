import { pointerPattern } from '../json/pointer.ts';
import type { VolatileText } from './format.ts';

/** A string without its volatile parts. */
export interface NormalText {
  readonly text: string;
  /** The uids in it, in order: their equality is checked separately. */
  readonly uids: readonly string[];
}

export type TextNormaliser = (text: string, side: 'own' | 'recorded') => NormalText;

/**
 * The day of the recording: times of that day come from the server's clock, all others are data.
 */
const RECORDED_DAY = '2026-11-15';

const DAY_MS = 86_400_000;

/** How long ago a container was restarted grows with every day after the recording. */
const AGO = /\(\d+[smhdy](?:\d+[smhd])? ago\)/g;

/**
 * Compiles the `volatileText` rules of a recording. Two of them are stricter than plain
 * replacements: uids are collected so that their equality can be checked, and a time is only
 * removed if it comes from the server's clock; a time that a client sent must come back unchanged.
 */
export function textNormaliser(rules: readonly VolatileText[], now: number): TextNormaliser {
  const compiled = rules.map((rule) => ({ ...rule, expression: new RegExp(rule.pattern, 'g') }));
  return (original, side) => {
    let text = original.replace(AGO, '(<age> ago)');
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
    // A time of that day that a replayed request has sent comes back in the own answer as well.
    if (time.startsWith(RECORDED_DAY)) return true;
    return side === 'own' && Math.abs(Date.parse(time) - now) < DAY_MS;
  }
}

/*
 * The columns of a Table and the types and fields of OpenAPI documents have descriptions. The
 * recorded ones are Kubernetes' own documentation, which other servers do not copy. Only the
 * presence of such a description is compared.
 */

const isColumnDescription = pointerPattern('/**/columnDefinitions/*/description');
const isSchemaDescription = pointerPattern('/**/components/schemas/**/description');
/** Of operations and parameters; those of responses are the words of their status. */
const isOperationDescription = [
  pointerPattern('/**/paths/*/*/description'),
  pointerPattern('/**/paths/*/parameters/*/description'),
  pointerPattern('/**/paths/*/*/parameters/*/description'),
];

/** True for texts that may be worded differently. */
export function isReworded(steps: readonly string[], recorded: unknown): boolean {
  return (
    typeof recorded === 'string' &&
    (isColumnDescription(steps) ||
      isSchemaDescription(steps) ||
      isOperationDescription.some((matches) => matches(steps)))
  );
}

/** A description comes first in its column, folded over lines with deeper indentation. */
const YAML_DESCRIPTION = /^- description: .*\n(?: {4}.*\n|\n)*(?= {2}format: )/gm;

/** Returns the YAML of a Table without its descriptions; all other text is unchanged. */
export function withoutDescriptions(text: string): string {
  if (!text.startsWith('apiVersion: meta.k8s.io/') || !/^kind: Table$/m.test(text)) return text;
  return text.replaceAll(YAML_DESCRIPTION, '- description: <text>\n');
}
