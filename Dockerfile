# syntax=docker/dockerfile:1

# The console.
FROM node:20-bookworm-slim AS console
WORKDIR /src/console
COPY console/package.json console/package-lock.json console/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY console/ ./
RUN npm run build

# Go modules, in a layer that only a changed go.mod makes anew. The root module
# takes the worker SDK from its folder, so that one's go.mod comes along.
FROM golang:1.26-bookworm AS modules
WORKDIR /src
COPY go.mod go.sum ./
COPY worker-sdk/go.mod worker-sdk/
RUN go mod download

FROM modules AS build
ARG VERSION=dev
COPY . .
COPY --from=console /src/console/dist console/dist
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags timetzdata \
    -ldflags "-s -w -X main.version=$VERSION" -o /out/belfry .

# An example worker, for docker-compose.yml. It needs the SDK and nothing else.
FROM golang:1.26-bookworm AS build-orders
WORKDIR /src
COPY worker-sdk worker-sdk
COPY examples examples
RUN CGO_ENABLED=0 go -C examples/orders build -trimpath -buildvcs=false -tags timetzdata -o /out/orders .

# What both images stand on: no package manager runs, certificates come along
# for webhooks and single sign-on, and nothing is root.
FROM debian:bookworm-slim AS base
COPY --from=modules /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN useradd --system --uid 10001 --user-group --home-dir /var/lib/belfry --shell /usr/sbin/nologin belfry \
 && install --directory --owner=belfry --group=belfry --mode=0700 /var/lib/belfry /run/belfry
USER belfry
WORKDIR /var/lib/belfry

FROM base AS orders
COPY --from=build-orders /out/orders /usr/local/bin/orders
COPY --chmod=0555 deploy/docker/with-key /usr/local/bin/with-key
ENTRYPOINT ["with-key", "orders"]

FROM base AS belfry
COPY --from=build /out/belfry /usr/local/bin/belfry
COPY --chmod=0555 deploy/docker/healthcheck deploy/docker/app-key /usr/local/bin/
ENV BELFRY_LISTEN=0.0.0.0:7000
EXPOSE 7000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 CMD ["healthcheck"]
ENTRYPOINT ["belfry"]
CMD ["serve"]
