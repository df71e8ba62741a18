import type { Deployment } from 'client-ts/api/apps/v1';

export const deployment: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        restartPolicy: 'Always',
        containers: [
          {
            name: 'web',
            image: 'registry.example/web:1',
            ports: [{ containerPort: 8080, protocol: 'TCP' }],
            env: [
              { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
            ],
            resources: { limits: { cpu: '500m', memory: '1Gi' } },
            readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
          },
        ],
      },
    },
  },
};
