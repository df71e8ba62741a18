// Upstream: pkg/quota/v1/evaluator/core/services.go
import type * as core from 'client-ts/api/core/v1';
import { QuantityValue } from 'client-ts/meta';
import type { Loose } from '../../validation/loose.ts';
import { type Amounts, ONE, ZERO } from './amounts.ts';
import { type Evaluator, isMainWrite } from './evaluator.ts';

type Service = Loose<core.Service>;

const MEASURED = new Set([
  'count/services',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]);

/** Measures services: their number, their load balancers and their node ports. */
export const serviceEvaluator: Evaluator = {
  handles: isMainWrite,
  measures: (name) => MEASURED.has(name),
  usage: (service) => serviceUsage(service),
};

function serviceUsage({ spec = {} }: Service): Amounts {
  const isBalanced = spec.type === 'LoadBalancer';
  return new Map([
    ['count/services', ONE],
    ['services', ONE],
    ['services.loadbalancers', isBalanced ? ONE : ZERO],
    ['services.nodeports', QuantityValue.of(nodePorts(spec))],
  ]);
}

/** Node ports may not be allocated yet, so every port that will get one counts. */
function nodePorts({
  type,
  ports = [],
  allocateLoadBalancerNodePorts,
}: Loose<core.ServiceSpec>): number {
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  const isExplicitOnly = type === 'LoadBalancer' && allocateLoadBalancerNodePorts === false;
  return isExplicitOnly ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length : ports.length;
}
