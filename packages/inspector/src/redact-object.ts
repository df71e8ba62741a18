import { isJsonObject, type JsonObject, type JsonValue } from 'client-ts/internal';
import { maskSecrets } from 'client-ts/observe';

/** What stands in for a value that is not shown. */
const HIDDEN = '<hidden>';

/** kubectl's copy of the whole object, data included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fields of any object whose text is a credential by its name. */
const SECRET_FIELD =
  /^(?:access|api|auth|bearer|client|id|private|refresh|secret)?[-_]?(?:token|password|passwd|secret|key|credential|credentials)$|^(?:authorization|client-?key-?data)$/i;

/** Field names that match {@link SECRET_FIELD} and name something else in the Kubernetes API. */
const NAMES = new Set(['key', 'secret', 'secretKey']);

/** Environment variables whose value is a credential by the name. */
const SECRET_VARIABLE = /TOKEN|PASSW(?:OR)?D|SECRET|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/** An object as it may be shown, and whether anything is missing. */
export interface RedactedObject {
  readonly object: JsonValue;
  readonly isRedacted: boolean;
}

/**
 * Returns a copy of an object without credentials. Of a Secret all values of `data` and `stringData` and
 * the last applied configuration are hidden, of every object the fields and environment variables that
 * are credentials by their name, and what has the form of a credential in any text. Values that a program
 * keeps in other places, such as a password in the data of a ConfigMap, are not recognised.
 */
export function redactObject(object: object): RedactedObject {
  // Objects from caches are decoded when they are read; what is sent is JSON in any case.
  const copy = JSON.parse(JSON.stringify(object)) as JsonValue;
  let isRedacted = false;
  const hide = (): string => {
    isRedacted = true;
    return HIDDEN;
  };
  const isSecret =
    isJsonObject(copy) && (copy['kind'] === 'Secret' || copy['kind'] === 'SecretList');
  const visit = (value: JsonValue, field: string): JsonValue => {
    if (typeof value === 'string') {
      if (SECRET_FIELD.test(field) && !NAMES.has(field) && value !== '') return hide();
      const masked = maskSecrets(value);
      return masked === value ? value : (hide(), masked);
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, ''));
    if (!isJsonObject(value)) return value;
    return visitFields(value);
  };
  const visitFields = (value: JsonObject): JsonValue => {
    const isVariable = typeof value['name'] === 'string' && SECRET_VARIABLE.test(value['name']);
    const entries = Object.entries(value).map(([name, inner = null]): [string, JsonValue] => {
      if (isVariable && name === 'value' && typeof inner === 'string') return [name, hide()];
      if (isSecret && (name === 'data' || name === 'stringData')) return [name, hideAll(inner)];
      if (isSecret && name === LAST_APPLIED) return [name, hide()];
      if (name === LAST_APPLIED && typeof inner === 'string') return [name, lastApplied(inner)];
      return [name, visit(inner, name)];
    });
    return Object.fromEntries(entries);
  };
  const hideAll = (value: JsonValue): JsonValue =>
    isJsonObject(value)
      ? Object.fromEntries(Object.keys(value).map((name) => [name, hide()]))
      : hide();
  /** The copy of the object that kubectl keeps has the same secrets. */
  const lastApplied = (text: string): string => {
    try {
      const inner = redactObject(JSON.parse(text) as object);
      if (inner.isRedacted) isRedacted = true;
      return inner.isRedacted ? JSON.stringify(inner.object) : text;
    } catch {
      return hide();
    }
  };
  return { object: visit(copy, ''), isRedacted };
}
