// Upstream: pkg/apis/core/validation/validation.go: ValidateSignerName
// Upstream: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go: IsDomainPrefixedPath
import {
  validateDns1123Label,
  validateDns1123Subdomain,
  validateQualifiedName,
} from 'client-ts/meta';
import { type FieldError, invalid, invalidEach, required, tooLong } from './field-error.ts';

const LONGEST_DOMAIN = 253;
const LONGEST_PATH = 253 + 63 + 1;

/** Checks the name of a certificate signer: `example.com/signer-name`. */
export function validateSignerName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    const detail =
      "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(field, name, detail)];
  }
  const labels = domain.split('.');
  const longest = LONGEST_DOMAIN + LONGEST_PATH + 1;
  return [
    ...(Buffer.byteLength(domain) > LONGEST_DOMAIN ? [tooLong(field, LONGEST_DOMAIN)] : []),
    ...firstFault(domain, labels, validateDns1123Label, field),
    ...(labels.length < 2
      ? [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...firstFault(path, path.split('.'), validateDns1123Subdomain, field),
    ...(Buffer.byteLength(name) > longest ? [tooLong(field, longest)] : []),
  ];
}

function firstFault(
  whole: string,
  labels: readonly string[],
  validate: (label: string) => string[],
  field: string,
): FieldError[] {
  for (const label of labels) {
    const messages = validate(label);
    if (messages.length === 0) continue;
    return messages.map((message) =>
      invalid(field, whole, `validating label "${label}": ${message}`),
    );
  }
  return [];
}

/** Checks a domain-prefixed key: `acme.io/foo`. */
export function validateDomainPrefixedKey(key: string, field: string): FieldError[] {
  if (key === '') return [required(field)];
  const errors = invalidEach(field, key, validateQualifiedName(key));
  if (errors.length > 0 || key.includes('/')) return errors;
  return [invalid(field, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}

const HTTP_PATH = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;

/** Checks a domain-prefixed path: `acme.io/foo/bar`. */
export function validateDomainPrefixedPath(value: string, field: string): FieldError[] {
  if (value === '') return [required(field)];
  const slash = value.indexOf('/');
  const host = value.slice(0, slash);
  const path = value.slice(slash + 1);
  if (slash < 1 || path === '') {
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...invalidEach(field, host, validateDns1123Subdomain(host)),
    ...(new RegExp(`^${HTTP_PATH}$`).test(path)
      ? []
      : [invalid(field, path, `Invalid path (regex used for validation is '${HTTP_PATH}')`)]),
  ];
}
