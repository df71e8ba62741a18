import { writeYaml } from 'client-ts/yaml';

import type { Project } from './project.ts';

/** Returns the manifests of a project, by path. */
export function manifestFiles(project: Project): Map<string, string> {
  return new Map([
    ['deploy/crd.yaml', project.definition],
    ['deploy/rbac.yaml', rbac(project)],
    ['deploy/deployment.yaml', deployment(project)],
    ['deploy/example.yaml', writeYaml(project.example)],
  ]);
}

function rbac({ name, group, plural, hasConditions }: Project): string {
  const status = `
- apiGroups: [${group}]
  resources: [${plural}/status]
  verbs: [patch]`;
  return `# The service account of the controller and what it may do: exactly what it uses.
apiVersion: v1
kind: Namespace
metadata:
  name: ${name}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
  namespace: ${name}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${name}
rules:
- apiGroups: [${group}]
  resources: [${plural}]
  verbs: [get, list, watch]${hasConditions ? status : ''}
# For blockOwnerDeletion, on clusters that enforce OwnerReferencesPermissionEnforcement.
- apiGroups: [${group}]
  resources: [${plural}/finalizers]
  verbs: [update]
- apiGroups: ['']
  resources: [configmaps]
  verbs: [get, list, watch, create, patch]
- apiGroups: ['']
  resources: [events]
  verbs: [create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${name}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ${name}
subjects:
- kind: ServiceAccount
  name: ${name}
  namespace: ${name}
---
# The Lease by which replicas elect the one that works.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: ${name}
  namespace: ${name}
rules:
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get, create, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: ${name}
  namespace: ${name}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${name}
subjects:
- kind: ServiceAccount
  name: ${name}
  namespace: ${name}
`;
}

function deployment({ name }: Project): string {
  return `# Two replicas: one works, the other stands by with warm caches.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: ${name}
spec:
  replicas: 2
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      serviceAccountName: ${name}
      # Longer than the grace period of the manager, after which the lease is released.
      terminationGracePeriodSeconds: 45
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        seccompProfile:
          type: RuntimeDefault
      containers:
      - name: controller
        image: ${name}:latest
        ports:
        - name: metrics
          containerPort: 8080
        - name: health
          containerPort: 8081
        livenessProbe:
          httpGet:
            path: /healthz
            port: health
        readinessProbe:
          httpGet:
            path: /readyz
            port: health
        resources:
          requests:
            cpu: 50m
            memory: 96Mi
          limits:
            memory: 256Mi
        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          capabilities:
            drop: [ALL]
`;
}
