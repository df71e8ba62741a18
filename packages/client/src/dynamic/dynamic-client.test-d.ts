/** Type tests of the dynamic client. The build compiles this file. */
import type { ApplyConfiguration } from '../rest/object-types.ts';
import type { DynamicResourceClient } from './dynamic-client.ts';
import type { Unstructured } from './unstructured.ts';

export async function tests(widgets: DynamicResourceClient, object: Unstructured): Promise<void> {
  // An unstructured object can be applied, and so can a literal.
  await widgets.apply(object, { fieldManager: 'me' });
  await widgets.applyStatus(object, { fieldManager: 'me' });
  await widgets.apply({ metadata: { name: 'one' }, spec: { size: 3 } }, { fieldManager: 'me' });
  // @ts-expect-error a literal needs a name
  await widgets.apply({ metadata: { labels: {} } }, { fieldManager: 'me' });
  const applied: ApplyConfiguration<Unstructured> = { metadata: { name: 'one' }, spec: {} };
  applied.kind satisfies string | undefined;
  applied.metadata.name satisfies string;
  await widgets.getStatus('one');
  await widgets.patchStatus('one', { status: { phase: 'Up' } }, { type: 'merge' });
}
