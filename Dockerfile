# Node 24 is a supported LTS line. Both stages are the same Debian, so that the compiled addon finds its libraries.
FROM node:24-bookworm-slim AS build
WORKDIR /app
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 make g++ \
    && rm -rf /var/lib/apt/lists/*
# better-sqlite3 is compiled here, with the headers of this very Node: nothing but the packages is fetched. Those of 24.19
# and newer make addons on node::ObjectWrap abort at garbage collection (nodejs/node issue 65446); without these two calls
# they are as before.
ENV npm_config_build_from_source=true npm_config_nodedir=/usr/local
RUN sed -i '/CleanupHook();/d' /usr/local/include/node/node_object_wrap.h
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY config/tsconfig.build.json config/
COPY src src/
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
COPY --from=build /app/package.json /app/
COPY --from=build /app/node_modules /app/node_modules/
COPY --from=build /app/dist /app/dist/
RUN mkdir /data /config && chown 1000:1000 /data

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
