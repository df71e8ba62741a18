import { ClientError, defineErrors } from '../lib/errors.ts';
import { getKey } from '../lib/json.ts';

/** A requirement on one field. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '!=' | '=';
  readonly value: string;
}

/** The selectable fields of an object; a missing one equals the empty string. */
export type SelectableFields = Readonly<Record<string, string>>;

/** A field selector is invalid. The message is the server's. */
export class FieldSelectorError extends ClientError {
  constructor(message: string) {
    super('META_FIELD_SELECTOR_INVALID', message);
  }

  static {
    defineErrors(this, 'FieldSelectorError', 'META', {
      META_FIELD_SELECTOR_INVALID: { retry: 'never' },
    });
  }
}

/** A field selector: all requirements must hold. Immutable. */
export class FieldMatcher {
  /** Matches every object. */
  static readonly everything: FieldMatcher = new FieldMatcher([]);
  /** Matches nothing. It has no text form: a client must not send a request for it. */
  static readonly nothing: FieldMatcher = new FieldMatcher([], false);

  readonly requirements: readonly FieldRequirement[];
  /** False only for {@link FieldMatcher.nothing}. */
  readonly selectable: boolean;

  private constructor(requirements: readonly FieldRequirement[], selectable = true) {
    this.requirements = requirements;
    this.selectable = selectable;
  }

  static of(requirements: readonly FieldRequirement[]): FieldMatcher {
    return requirements.length === 0
      ? FieldMatcher.everything
      : new FieldMatcher([...requirements]);
  }

  /** True if it matches everything. */
  get isEmpty(): boolean {
    return this.selectable && this.requirements.length === 0;
  }

  matches(fields: SelectableFields): boolean {
    if (!this.selectable) return false;
    for (const { field, operator, value } of this.requirements) {
      const actual = getKey(fields, field) ?? '';
      if ((actual === value) !== (operator === '=')) return false;
    }
    return true;
  }

  /** Returns the value that the field must have, if one is required. */
  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find(
      (requirement) => requirement.field === field && requirement.operator === '=',
    )?.value;
  }

  /**
   * Rewrites every requirement, for instance to refuse or rename a field. A requirement whose field
   * and value become empty is dropped.
   */
  transform(
    rewrite: (field: string, value: string) => { readonly field: string; readonly value: string },
  ): FieldMatcher {
    if (!this.selectable) return this;
    const rewritten = this.requirements.map((requirement) => ({
      operator: requirement.operator,
      ...rewrite(requirement.field, requirement.value),
    }));
    return FieldMatcher.of(rewritten.filter(saysSomething));
  }

  /** Returns the text form, which {@link parseFieldSelector} parses. */
  toString(): string {
    return this.requirements.map(textOf).join(',');
  }
}

function textOf({ field, operator, value }: FieldRequirement): string {
  return `${field}${operator}${escapeFieldValue(value)}`;
}

function byText(left: FieldRequirement, right: FieldRequirement): number {
  const [leftText, rightText] = [textOf(left), textOf(right)];
  if (leftText === rightText) return 0;
  return leftText < rightText ? -1 : 1;
}

function saysSomething({ field, value }: FieldRequirement): boolean {
  return field !== '' || value !== '';
}

/** Escapes a value for use in the text of a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, String.raw`\$&`);
}

/** Reverses {@link escapeFieldValue}; throws {@link FieldSelectorError} for invalid escapes. */
export function unescapeFieldValue(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (match: string, escaped: string | undefined) => {
    if (escaped === undefined) {
      const code = match.codePointAt(0);
      throw new FieldSelectorError(`invalid field selector: unescaped character in value: ${code}`);
    }
    if (!/^[\\,=]$/.test(escaped)) {
      throw new FieldSelectorError(`invalid field selector: invalid escape sequence: ${match}`);
    }
    return escaped;
  });
}

/** Returns a selector for objects whose fields have these values. */
export function fieldMatcherFromSet(fields: SelectableFields): FieldMatcher {
  return FieldMatcher.of(
    Object.entries(fields).map(([field, value]) => ({ field, operator: '=', value })),
  );
}

/**
 * Parses a field selector: `metadata.name=web,status.phase!=Running`. In values, `\`, `,` and `=`
 * are escaped with a backslash. Requirements are sorted by their canonical text. Throws {@link
 * FieldSelectorError} with the server's message; fields are not checked against a resource.
 */
export function parseFieldSelector(text: string): FieldMatcher {
  const terms = (text.match(/(?:\\.?|[^\\,])+/gsu) ?? []).toSorted();
  const requirements = terms.map((term) => parseTerm(text, term)).filter(saysSomething);
  return FieldMatcher.of(requirements.toSorted(byText));
}

function parseTerm(text: string, term: string): FieldRequirement {
  // Fields cannot be escaped, so the first operator counts.
  const operator = /!=|==?/.exec(term);
  if (operator === null) {
    throw new FieldSelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
  }
  const value = term.slice(operator.index + operator[0].length);
  return {
    field: term.slice(0, operator.index),
    operator: operator[0] === '!=' ? '!=' : '=',
    value: unescapeFieldValue(value),
  };
}
