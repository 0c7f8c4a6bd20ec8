/**
 * What the program uses of undici, for the bundle. The package's own index also loads fetch, WebSocket, caches and mocks:
 * 27 ms and 8 MB of every command.
 */
const api = require('undici/lib/api');
const buildConnector = require('undici/lib/core/connect');
const Agent = require('undici/lib/dispatcher/agent');
const Dispatcher = require('undici/lib/dispatcher/dispatcher');
const EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent');
const Pool = require('undici/lib/dispatcher/pool');
const ProxyAgent = require('undici/lib/dispatcher/proxy-agent');

Object.assign(Dispatcher.prototype, api);

module.exports = { Agent, buildConnector, EnvHttpProxyAgent, Pool, ProxyAgent };
