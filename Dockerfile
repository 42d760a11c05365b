# The service as an image: `docker build -t identity-service .`
# Run by a user who may write to /data alone.
#
# A tag moves. To build from one image for good, name its digest (docs/deploy.md):
#   docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… .
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /src
# The packages change less often than the sources, so they are a layer of their own.
COPY package.json package-lock.json .npmrc ./
COPY scripts/child-process.mjs scripts/environment.mjs scripts/install.mjs scripts/locked-packages.mjs scripts/node-version.mjs scripts/
RUN node scripts/install.mjs service
COPY . .
RUN node scripts/image.mjs /image

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
  NEXT_TELEMETRY_DISABLED=1 \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATABASE_URL=file:/data/service.db
COPY --from=build /image /app
RUN mkdir /data && chown node:node /data
WORKDIR /app
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server.mjs"]
