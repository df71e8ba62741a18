import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { maskSecrets } from 'client-ts/observe';

/** What stands in for a value that is not shown. */
const HIDDEN = '<hidden>';

/** kubectl's copy of the whole object, data included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fields of any object whose text is a credential by its name. */
const SECRET_FIELD =
  /^(?:access|api|auth|bearer|client|id|private|refresh|secret|secret-?access)?[-_]?(?:token|secret|key|credentials?)$|(?:password|passwd|passphrase)$|^(?:authorization|client-?key-?data)$/i;

/** Field names that match {@link SECRET_FIELD} and name something else in the Kubernetes API. */
const NAMES = new Set(['key', 'secret', 'secretKey']);

/** A flag of a command whose value, the next argument, is a credential by the name. */
const SECRET_FLAG = /^--?[\w-]*(?:token|password|passwd|passphrase|secret|credential|api-?key)$/i;

/** Environment variables whose value is a credential by the name. */
const SECRET_VARIABLE = /TOKEN|PASSW(?:OR)?D|SECRET|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/** An object as it may be shown, and whether anything is missing. */
export interface RedactedObject {
  readonly object: JsonValue;
  readonly isRedacted: boolean;
}

/**
 * Returns a copy of an object without credentials. Of a Secret, also within another object, all values of
 * `data` and `stringData` and the annotations that contain objects are hidden; an object without a kind is
 * taken for one. Of every object the fields, flags and environment variables that are credentials by their name
 * are hidden, and in any text what `mask` hides. Default: what has the form of a credential.
 */
export function redactObject(
  object: object,
  mask: (text: string) => string = maskSecrets,
): RedactedObject {
  // Objects from caches are decoded when they are read; what is sent is JSON in any case.
  const copy = JSON.parse(JSON.stringify(object)) as JsonValue;
  let isRedacted = false;
  const hide = (): string => {
    isRedacted = true;
    return HIDDEN;
  };
  const visit = (value: JsonValue, field: string): JsonValue => {
    if (typeof value === 'string') {
      if (SECRET_FIELD.test(field) && !NAMES.has(field) && value !== '') return hide();
      const masked = mask(value);
      return masked === value ? value : (hide(), masked);
    }
    if (Array.isArray(value)) return value.map((item, index) => visitItem(item, value[index - 1]));
    return isJsonObject(value) ? visitFields(value, value['kind'] === 'Secret') : value;
  };
  const visitItem = (item: JsonValue, previous: JsonValue | undefined): JsonValue =>
    typeof previous === 'string' && SECRET_FLAG.test(previous) && typeof item === 'string'
      ? hide()
      : visit(item, '');
  const visitFields = (value: JsonObject, isSecret: boolean): JsonValue => {
    const isVariable = typeof value['name'] === 'string' && SECRET_VARIABLE.test(value['name']);
    const entries = Object.entries(value).map(([name, inner = null]): [string, JsonValue] => {
      if (isVariable && name === 'value' && typeof inner === 'string') return [name, hide()];
      if (isSecret && (name === 'data' || name === 'stringData')) return [name, hideAll(inner)];
      if (isSecret && name === 'metadata') return [name, secretMetadata(inner)];
      if (name === LAST_APPLIED && typeof inner === 'string') return [name, lastApplied(inner)];
      return [name, visit(inner, name)];
    });
    return Object.fromEntries(entries);
  };
  const hideAll = (value: JsonValue): JsonValue =>
    isJsonObject(value)
      ? Object.fromEntries(Object.keys(value).map((name) => [name, hide()]))
      : hide();
  const secretMetadata = (metadata: JsonValue): JsonValue => {
    if (!isJsonObject(metadata)) return visit(metadata, '');
    const { annotations = {}, ...rest } = metadata;
    if (!isJsonObject(annotations)) return visit(rest, '');
    const shown = Object.entries(annotations).map(([name, value = null]): [string, JsonValue] => {
      const mayContain = typeof value !== 'string' || isCopyOfObject(name, value);
      return [name, mayContain ? hide() : visit(value, name)];
    });
    const others = visitFields(rest, false) as JsonObject;
    return shown.length === 0 ? others : { ...others, annotations: Object.fromEntries(shown) };
  };
  /** The copy of the object that kubectl keeps has the same secrets. */
  const lastApplied = (text: string): string => {
    try {
      const inner = redactObject(JSON.parse(text) as object, mask);
      if (inner.isRedacted) isRedacted = true;
      return inner.isRedacted ? JSON.stringify(inner.object) : text;
    } catch {
      return hide();
    }
  };
  const shown = isJsonObject(copy) ? visitFields(copy, isSecret(copy)) : visit(copy, '');
  return { object: shown, isRedacted };
}

/** True for a Secret, and for an object that may be one: a program may store objects without their kind. */
export function isSecret({ kind = '' }: { readonly kind?: unknown }): boolean {
  return kind === 'Secret' || kind === '';
}

/** True for what kubectl and other tools note of an object: themselves, or packed. */
function isCopyOfObject(name: string, value: string): boolean {
  return /last-?applied|original/i.test(name) || /^\s*[{[]/.test(value) || value.length > 256;
}
