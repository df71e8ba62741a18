/**
 * YAML as Kubernetes reads and writes it.
 *
 * @module
 */

export { parseYamlDocuments, readYaml, type YamlDocument } from './yaml-documents.ts';
export { YamlError, type YamlErrorOptions } from './yaml-error.ts';
export { writeYaml } from './yaml-writer.ts';
export type { ParsedYaml, YamlReaderOptions, YamlValue } from './yaml-reader.ts';
