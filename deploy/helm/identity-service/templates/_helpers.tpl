{{- define "identity-service.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "identity-service.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "identity-service.labels" -}}
{{ include "identity-service.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* The host of baseUrl, without its port. */ -}}
{{- define "identity-service.host" -}}
{{- (splitList ":" (urlParse .Values.baseUrl).host) | first -}}
{{- end -}}

{{- /* Seconds that a stop may take: the notice, 15 s for requests in flight and closing, and some to spare. */ -}}
{{- define "identity-service.grace" -}}
{{- add (trimSuffix "s" .Values.shutdownNotice | int) 20 -}}
{{- end -}}

{{- /* The most replicas that run at a time, without the one more of an update. */ -}}
{{- define "identity-service.pods" -}}
{{- if eq .Values.database.kind "sqlite" -}}1
{{- else if .Values.autoscaling.enabled -}}{{ .Values.autoscaling.maxReplicas }}
{{- else -}}{{ .Values.replicas }}
{{- end -}}
{{- end -}}

{{- /* The entries of the container's `env`, each name once: what `env` of the values says takes precedence. */ -}}
{{- define "identity-service.env" -}}
{{- $values := .Values -}}
{{- $env := dict "BASE_URL" $values.baseUrl "SHUTDOWN_NOTICE" $values.shutdownNotice -}}
{{- with $values.trustedProxies -}}
{{- $_ := set $env "TRUSTED_PROXIES" (join "," .) -}}
{{- end -}}
{{- with $values.clientCertificates.url -}}
{{- $_ := set $env "MTLS_URL" . -}}
{{- end -}}
{{- with $values.clientCertificates.header -}}
{{- $_ := set $env "CLIENT_CERT_HEADER" . -}}
{{- end -}}
{{- with $values.metricsToken.secret -}}
{{- $_ := set $env "METRICS_TOKEN_FILE" (printf "/run/secrets/metrics/%s" $values.metricsToken.key) -}}
{{- end -}}
{{- if eq $values.database.kind "sqlite" -}}
{{- $_ := set $env "DATABASE_URL" "file:/data/service.db" -}}
{{- else if $values.workers -}}
{{- $_ := set $env "WORKERS" $values.workers -}}
{{- end -}}
{{- range $name := list "DATABASE_URL" "SECRET_KEY" "SMTP_URL" -}}
{{- if hasKey $values.env (printf "%s_FILE" $name) -}}
{{- $_ := unset $env $name -}}
{{- else if not (or (hasKey $env $name) (hasKey $values.env $name)) -}}
{{- $key := dict "name" $values.existingSecret "key" $name -}}
{{- if eq $name "SMTP_URL" -}}{{- $_ := set $key "optional" true -}}{{- end -}}
{{- $_ := set $env $name (dict "valueFrom" (dict "secretKeyRef" $key)) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := $values.env -}}
{{- $_ := set $env $name $value -}}
{{- end -}}
{{- range $name, $value := $env }}
- name: {{ $name }}
  {{- if kindIs "map" $value }}
  valueFrom:
    {{- toYaml $value.valueFrom | nindent 4 }}
  {{- else if kindIs "float64" $value }}
  value: {{ ternary (printf "%.0f" $value) (toString $value) (eq (floor $value) $value) | quote }}
  {{- else }}
  value: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Where replicas prefer to be: apart from each other. Entries without a selector get that of the replicas. */ -}}
{{- define "identity-service.spread" -}}
{{- $selector := include "identity-service.selector" . | fromYaml -}}
{{- $apart := list -}}
{{- range $topology := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" -}}
{{- $apart = append $apart (dict "maxSkew" 1 "topologyKey" $topology "whenUnsatisfiable" "ScheduleAnyway" "matchLabelKeys" (list "pod-template-hash")) -}}
{{- end -}}
{{- range .Values.topologySpreadConstraints | default $apart }}
- {{ merge (deepCopy .) (dict "labelSelector" (dict "matchLabels" $selector)) | toYaml | nindent 2 | trim }}
{{- end }}
{{- end -}}
