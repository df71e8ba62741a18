/** Type tests of `waitFor` and its conditions. The build compiles this file. */
import { nodes, pods } from '../api/core/v1.ts';
import type { Pod } from '../api/core/v1.ts';
import { jobs } from '../api/batch/v1.ts';
import type { Stored } from '../rest/object-types.ts';
import { resourceClient } from '../rest/resource-client.ts';
import type { RESTClient } from '../rest/rest-client.ts';
import { and, deleted, exists, jobComplete, jobFailed, or, podReady } from './conditions.ts';
import { waitFor } from './wait-for.ts';

export async function tests(rest: RESTClient): Promise<void> {
  const inDefault = resourceClient(rest, pods, 'default');
  // Conditions see objects as the server stores them.
  await waitFor(inDefault, 'web', (pod) => {
    pod satisfies Stored<Pod> | undefined;
    return pod?.metadata.uid === 'x';
  });
  // A condition that only an existing object meets returns the object.
  (await waitFor(inDefault, 'web', podReady)).metadata.uid satisfies string;
  (await waitFor(inDefault, 'web', and(podReady, deleted('x')))).metadata.uid satisfies string;
  (await waitFor(inDefault, 'web', (pod): pod is Stored<Pod> => pod?.metadata.uid === 'x')).metadata
    .uid satisfies string;
  (await waitFor(inDefault, 'web', (pod: Pod | undefined): pod is Pod => pod !== undefined))
    .metadata.uid satisfies string;
  (await waitFor(inDefault, 'web', deleted())) satisfies Stored<Pod> | undefined;
  const job = resourceClient(rest, jobs, 'default');
  (await waitFor(job, 'once', or(jobComplete, jobFailed))).status?.succeeded satisfies
    | number
    | undefined;
  (await waitFor(resourceClient(rest, nodes), 'one', exists)).metadata.uid satisfies string;
  // @ts-expect-error names repeat across namespaces: one must be given
  await waitFor(resourceClient(rest, pods), 'web', podReady);
  await waitFor(resourceClient(rest, pods).namespace('default'), 'web', podReady);
  // @ts-expect-error a pod is not a job
  await waitFor(inDefault, 'web', jobComplete);
}
