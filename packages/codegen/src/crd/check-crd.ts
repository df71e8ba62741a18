import { isJsonObject } from 'client-ts/internal';
import { validateDns1035Label, validateDns1123Subdomain } from 'client-ts/meta';

import { checkSchema } from './check-schema.ts';
import type { Place } from './place.ts';

/**
 * Reports what keeps a CustomResourceDefinition from becoming types: what a server would refuse
 * about its names, versions and schemas. What has no bearing on types (CEL rules, printer columns,
 * conversion) is left to the server.
 */
export function checkCrd(crd: Place): void {
  if (!isCrd(crd)) return;
  const spec = crd.at('spec');
  if (spec.object() === undefined) return;
  checkGroup(spec.at('group'));
  checkNames(spec.at('names'));
  checkMetadataName(crd);
  const scope = spec.at('scope').text();
  if (scope !== undefined && scope !== 'Cluster' && scope !== 'Namespaced') {
    spec.at('scope').report(`${JSON.stringify(scope)} is not a scope: use Cluster or Namespaced`);
  }
  if (spec.at('preserveUnknownFields').flag()) {
    spec
      .at('preserveUnknownFields')
      .report('must not be true: set x-kubernetes-preserve-unknown-fields in the schema instead');
  }
  checkVersions(spec);
}

function isCrd(crd: Place): boolean {
  const value = crd.object();
  if (value === undefined) return false;
  const { apiVersion, kind } = value;
  if (kind !== 'CustomResourceDefinition') {
    crd.at('kind').report('must be CustomResourceDefinition, but this is no Kubernetes object');
    return false;
  }
  if (apiVersion === 'apiextensions.k8s.io/v1') return true;
  crd
    .at('apiVersion')
    .report(
      apiVersion === 'apiextensions.k8s.io/v1beta1'
        ? 'apiextensions.k8s.io/v1beta1 is gone since Kubernetes 1.22: convert the definition to apiextensions.k8s.io/v1'
        : 'must be apiextensions.k8s.io/v1',
    );
  return false;
}

function checkGroup(group: Place): void {
  const value = group.text();
  if (value === undefined) return;
  for (const message of validateDns1123Subdomain(value)) group.report(message);
  if (!value.includes('.')) group.report('must be a domain with at least one dot');
}

function checkNames(names: Place): void {
  if (names.object() === undefined) return;
  checkLabel(names.at('plural'));
  checkLabel(names.at('kind'), { ignoreCase: true });
  if (!names.at('singular').isAbsent) checkLabel(names.at('singular'));
  if (!names.at('listKind').isAbsent) checkLabel(names.at('listKind'), { ignoreCase: true });
  for (const list of ['shortNames', 'categories']) {
    for (const item of names.at(list).items()) checkLabel(item);
  }
  const { kind, listKind } = isJsonObject(names.value) ? names.value : {};
  if (kind !== undefined && kind === listKind) {
    names.at('listKind').report('must not be the same as kind');
  }
}

function checkLabel(place: Place, { ignoreCase = false } = {}): void {
  const value = place.text();
  if (value === undefined) return;
  for (const message of validateDns1035Label(ignoreCase ? value.toLowerCase() : value)) {
    place.report(ignoreCase ? `may have capitals, but apart from that ${message}` : message);
  }
}

function checkMetadataName(crd: Place): void {
  const plural = crd.at('spec', 'names', 'plural').value;
  const group = crd.at('spec', 'group').value;
  const name = crd.at('metadata', 'name');
  if (name.text() === undefined || typeof plural !== 'string' || typeof group !== 'string') return;
  if (name.value !== `${plural}.${group}`) {
    name.report(`must be spec.names.plural + "." + spec.group: ${plural}.${group}`);
  }
}

function checkVersions(spec: Place): void {
  const versions = spec.at('versions');
  const items = versions.items();
  if (items.length === 0) {
    if (versions.isAbsent || Array.isArray(versions.value)) versions.report('is required');
    return;
  }
  const seen = new Set<unknown>();
  for (const version of items) {
    if (version.object() === undefined) continue;
    checkLabel(version.at('name'));
    const name = version.at('name').value;
    if (seen.has(name)) version.at('name').report(`${JSON.stringify(name)} is there twice`);
    seen.add(name);
    checkVersionSchema(version);
  }
  if (!items.some((version) => version.at('served').flag())) {
    versions.report('has no version with served: true, so there is nothing to make types for');
  }
  if (items.filter((version) => version.at('storage').flag()).length !== 1) {
    versions.report('must have exactly one version with storage: true');
  }
}

function checkVersionSchema(version: Place): void {
  const schema = version.at('schema', 'openAPIV3Schema');
  if (schema.isAbsent) schema.report('is required');
  else checkSchema(schema);
}
