# Node 22 is the newest LTS whose own headers make addons that do not crash (those of 24.19 and newer: nodejs/node issue
# 65446). Both stages are the same Debian, so that the addon finds its libraries.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# better-sqlite3 brings a binary made for this Node, which npm fetches from github.com; only where it cannot be had a
# compiler is installed, in this stage alone, and uses the headers that are here.
RUN npm ci || { apt-get update \
    && apt-get install -y --no-install-recommends python3 make g++ \
    && JOBS=max npm_config_nodedir=/usr/local npm ci; }
COPY tsconfig.json ./
COPY config/tsconfig.build.json config/apart.js config/bundle.js config/image.js config/undici.cjs config/
COPY src src/
RUN npm run build
# Drivers of SQL Server and Oracle: --build-arg DRIVERS="mssql oracledb". Other packages stay if the bundle lacks them.
ARG DRIVERS=
RUN node config/image.js $DRIVERS && npm prune --omit=dev \
    && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
    && find node_modules/better-sqlite3/build -type f ! -name better_sqlite3.node -delete \
    && find dist node_modules -type f '(' -name '*.map' -o -name '*.d.ts' ')' -delete

FROM node:22-bookworm-slim
COPY --from=build /app/package.json /app/
COPY --from=build /app/node_modules /app/node_modules/
COPY --from=build /app/dist /app/dist/
# Configurations to begin with.
COPY config/recipes /app/config/recipes/
RUN mkdir /data /config && chown 1000:1000 /data

# Which rollcall this is: `docker image inspect` shows it. --build-arg REVISION="$(git rev-parse HEAD)" names the commit.
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title=rollcall \
    org.opencontainers.image.version=$VERSION \
    org.opencontainers.image.revision=$REVISION

# From / the defaults data/rollcall.db and config/rollcall.yaml are in these two folders. SQLite's temporary files go to
# /data as well: the root file system may be read-only.
WORKDIR /
ENV NODE_ENV=production ROLLCALL_CONFIG=/config/rollcall.yaml TMPDIR=/data
VOLUME /data
USER 1000:1000

# Node is process 1 and handles SIGTERM itself: calls in flight get 25 s, so stop with a grace period of 30 s.
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["run"]
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 \
    CMD ["node", "/app/dist/main.js", "status", "--health"]
