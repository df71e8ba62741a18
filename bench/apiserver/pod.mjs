/** A pod of everyday size: about 1.5 KB of JSON as sent, 4 KB as stored. */
export function pod(name, node) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'bench', tier: 'web', 'pod-template-hash': '5d4f8c7b9' } },
    spec: {
      ...(node !== undefined && { nodeName: node }),
      containers: [
        {
          name: 'app',
          image: 'registry.example.com/team/app:1.27.3',
          ports: [{ name: 'http', containerPort: 8080 }],
          env: [
            { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'LOG_LEVEL', value: 'info' },
            { name: 'CACHE_SIZE', value: '256Mi' },
          ],
          resources: {
            requests: { cpu: '100m', memory: '128Mi' },
            limits: { cpu: '500m', memory: '512Mi' },
          },
          readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
          livenessProbe: { httpGet: { path: '/live', port: 'http' }, initialDelaySeconds: 10 },
          volumeMounts: [{ name: 'config', mountPath: '/etc/app', readOnly: true }],
        },
      ],
      volumes: [{ name: 'config', configMap: { name: 'app-config' } }],
    },
  };
}
