/**
 * An in-process Kubernetes API server for tests and quick starts.
 *
 * @module
 */

export {
  type CertificateAndKey,
  CertificateAuthority,
  type CertificateAuthorityOptions,
} from './auth/certificates.ts';
export type { UserInfo } from './auth/user.ts';
export type { ReceivedRequest } from './endpoints/received-request.ts';
export {
  type AdmissionPlugin,
  type AdmissionPluginSelection,
  parseAdmissionPlugins,
} from './registry/admission-plugins.ts';
export {
  type ControllerName,
  type ControllerSelection,
  parseControllers,
} from './controllers/controllers.ts';
export { parseRuntimeConfig, type RuntimeConfig } from './registry/runtime-config.ts';
export { KUBERNETES_VERSIONS, type KubernetesVersion } from './schema/release.ts';
export type { BreakingPoint, Fault, FaultMatch, FaultOptions } from './faults/fault.ts';
export type { FaultHandle, Faults } from './faults/faults.ts';
export type { ResolveService, ServiceAddress, WebhookService } from './webhook/webhook-client.ts';
export {
  type ContainerLogOptions,
  type ContainerProcess,
  type ContainerTarget,
  type ContainerUsage,
  type Kubelet,
  KubeletError,
  type NodeRequest,
  type NodeResponse,
  type PodTarget,
  type ProcessStreams,
  type Terminal,
} from './kubelet.ts';
export { DataError } from './store/data-error.ts';
export type {
  DurableStore,
  StoreBatch,
  StoredCompaction,
  StoredRevision,
  StoredState,
} from './store/durable-store.ts';
export { ApiServerError } from './transport/listener.ts';
export { ApiServer, type ApiServerOptions, type CompactOptions } from './server/api-server.ts';
export { MemoryApiServer, type StoredWrite } from './server/memory-api-server.ts';
export { ServerSnapshot } from './server/server-snapshot.ts';
export { KubeletServer, type KubeletServerOptions } from './server/kubelet-server.ts';
