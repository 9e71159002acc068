// Generated from ledger.schema.json by scripts/compile-schema.mjs: change the schema, not this file.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: !0 });
    function ucs2length(str) {
      let len = str.length, length = 0, pos = 0, value;
      for (; pos < len; )
        length++, value = str.charCodeAt(pos++), value >= 55296 && value <= 56319 && pos < len && (value = str.charCodeAt(pos), (value & 64512) === 56320 && pos++);
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// <stdin>
var validate = validate10, stdin_default = validate10;
var formats0 = /^\d\d\d\d-[0-1]\d-[0-3]\dt(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i, pattern0 = new RegExp("^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$", "u"), schema13 = { type: "object", required: ["id", "record_uuid", "shown_at", "shown_source", "first_seen_at", "message", "cause", "limit", "reset_at", "reset_source", "suspect", "reason", "waited_until", "stopping", "attempts", "given_back"], additionalProperties: !0, properties: { id: { type: "string", minLength: 1 }, record_uuid: { $ref: "#/definitions/textOrNull" }, shown_at: { $ref: "#/definitions/instant" }, shown_source: { enum: ["transcript", "timeline", "first_seen", "updated_at"] }, first_seen_at: { $ref: "#/definitions/instant" }, message: { type: "string" }, cause: { enum: ["limit", "api", "overload", "network", "throttle"] }, limit: { enum: ["session", "weekly", "opus", "sonnet", "fable", "extra_usage", "credits", "spend", "org", "untyped", null] }, reset_at: { $ref: "#/definitions/instantOrNull" }, reset_source: { $ref: "#/definitions/source" }, suspect: { $ref: "#/definitions/textOrNull" }, reason: { anyOf: [{ $ref: "#/definitions/reason" }, { type: "null" }] }, waited_until: { $ref: "#/definitions/instantOrNull" }, stopping: { anyOf: [{ type: "null" }, { type: "object", required: ["job_id", "at"], additionalProperties: !0, properties: { job_id: { $ref: "#/definitions/jobId" }, at: { $ref: "#/definitions/instant" } } }] }, attempts: { type: "array", items: { $ref: "#/definitions/attempt" } }, given_back: { type: "integer", minimum: 0 } } }, schema14 = { type: ["string", "null"] }, schema19 = { enum: ["transcript", "timeline", "first_seen", "updated_at", "none"] };
var func2 = require_ucs2length().default, pattern4 = new RegExp("^[0-9a-f]{8}$", "u");
function validate12(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0, _errs0 = errors, valid0 = !1, _errs1 = errors, _errs2 = errors;
  if (errors === _errs2 && errors === _errs2)
    if (typeof data == "string")
      if (pattern0.test(data)) {
        if (!formats0.test(data)) {
          let err1 = { instancePath, schemaPath: "#/definitions/instant/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
          vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
        }
      } else {
        let err0 = { instancePath, schemaPath: "#/definitions/instant/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$" }, message: 'must match pattern "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"' };
        vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
      }
    else {
      let err2 = { instancePath, schemaPath: "#/definitions/instant/type", keyword: "type", params: { type: "string" }, message: "must be string" };
      vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
    }
  var _valid0 = _errs1 === errors;
  if (valid0 = valid0 || _valid0, !valid0) {
    let _errs4 = errors;
    if (data !== null) {
      let err3 = { instancePath, schemaPath: "#/anyOf/1/type", keyword: "type", params: { type: "null" }, message: "must be null" };
      vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
    }
    var _valid0 = _errs4 === errors;
    valid0 = valid0 || _valid0;
  }
  if (valid0)
    errors = _errs0, vErrors !== null && (_errs0 ? vErrors.length = _errs0 : vErrors = null);
  else {
    let err4 = { instancePath, schemaPath: "#/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
    return vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++, validate12.errors = vErrors, !1;
  }
  return validate12.errors = vErrors, errors === 0;
}
var schema21 = { type: "object", required: ["code", "detail", "resumes_at", "source"], additionalProperties: !0, properties: { code: { enum: ["usage_cap", "budget", "token_budget", "step_limit", "approval", "abort", "cancelled", "plan_only", "idle", "operator", "stale", "state_not_persisted", "uncommitted_work", "disk_low", "executor_lost", "disk_limit", "starter_unavailable", "transient", "unknown"] }, detail: { type: "string" }, resumes_at: { $ref: "#/definitions/instantOrNull" }, source: { $ref: "#/definitions/source" } } };
function validate14(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (errors === 0)
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.code === void 0 && (missing0 = "code") || data.detail === void 0 && (missing0 = "detail") || data.resumes_at === void 0 && (missing0 = "resumes_at") || data.source === void 0 && (missing0 = "source"))
        return validate14.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }], !1;
      if (data.code !== void 0) {
        let data0 = data.code, _errs2 = errors;
        if (!(data0 === "usage_cap" || data0 === "budget" || data0 === "token_budget" || data0 === "step_limit" || data0 === "approval" || data0 === "abort" || data0 === "cancelled" || data0 === "plan_only" || data0 === "idle" || data0 === "operator" || data0 === "stale" || data0 === "state_not_persisted" || data0 === "uncommitted_work" || data0 === "disk_low" || data0 === "executor_lost" || data0 === "disk_limit" || data0 === "starter_unavailable" || data0 === "transient" || data0 === "unknown"))
          return validate14.errors = [{ instancePath: instancePath + "/code", schemaPath: "#/properties/code/enum", keyword: "enum", params: { allowedValues: schema21.properties.code.enum }, message: "must be equal to one of the allowed values" }], !1;
        var valid0 = _errs2 === errors;
      } else
        var valid0 = !0;
      if (valid0) {
        if (data.detail !== void 0) {
          let _errs3 = errors;
          if (typeof data.detail != "string")
            return validate14.errors = [{ instancePath: instancePath + "/detail", schemaPath: "#/properties/detail/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
          var valid0 = _errs3 === errors;
        } else
          var valid0 = !0;
        if (valid0) {
          if (data.resumes_at !== void 0) {
            let _errs5 = errors;
            validate12(data.resumes_at, { instancePath: instancePath + "/resumes_at", parentData: data, parentDataProperty: "resumes_at", rootData }) || (vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors), errors = vErrors.length);
            var valid0 = _errs5 === errors;
          } else
            var valid0 = !0;
          if (valid0)
            if (data.source !== void 0) {
              let data3 = data.source, _errs6 = errors;
              if (!(data3 === "transcript" || data3 === "timeline" || data3 === "first_seen" || data3 === "updated_at" || data3 === "none"))
                return validate14.errors = [{ instancePath: instancePath + "/source", schemaPath: "#/definitions/source/enum", keyword: "enum", params: { allowedValues: schema19.enum }, message: "must be equal to one of the allowed values" }], !1;
              var valid0 = _errs6 === errors;
            } else
              var valid0 = !0;
        }
      }
    } else
      return validate14.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }], !1;
  return validate14.errors = vErrors, errors === 0;
}
var schema25 = { type: "object", required: ["nonce", "at", "job_id", "outcome", "successor", "message", "progress"], additionalProperties: !0, properties: { nonce: { type: "string", pattern: "^[0-9a-f]{16}$" }, at: { $ref: "#/definitions/instant" }, job_id: { $ref: "#/definitions/jobId" }, outcome: { enum: ["launching", "woken", "copied", "came_back", "unconfirmed", "failed", "kept"] }, successor: { anyOf: [{ type: "null" }, { type: "object", required: ["job_id", "session_id"], additionalProperties: !0, properties: { job_id: { $ref: "#/definitions/jobId" }, session_id: { $ref: "#/definitions/textOrNull" } } }] }, message: { type: "string" }, progress: { type: ["boolean", "null"] } } }, pattern6 = new RegExp("^[0-9a-f]{16}$", "u");
function validate18(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (errors === 0)
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.nonce === void 0 && (missing0 = "nonce") || data.at === void 0 && (missing0 = "at") || data.job_id === void 0 && (missing0 = "job_id") || data.outcome === void 0 && (missing0 = "outcome") || data.successor === void 0 && (missing0 = "successor") || data.message === void 0 && (missing0 = "message") || data.progress === void 0 && (missing0 = "progress"))
        return validate18.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }], !1;
      if (data.nonce !== void 0) {
        let data0 = data.nonce, _errs2 = errors;
        if (errors === _errs2)
          if (typeof data0 == "string") {
            if (!pattern6.test(data0))
              return validate18.errors = [{ instancePath: instancePath + "/nonce", schemaPath: "#/properties/nonce/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{16}$" }, message: 'must match pattern "^[0-9a-f]{16}$"' }], !1;
          } else
            return validate18.errors = [{ instancePath: instancePath + "/nonce", schemaPath: "#/properties/nonce/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
        var valid0 = _errs2 === errors;
      } else
        var valid0 = !0;
      if (valid0) {
        if (data.at !== void 0) {
          let data1 = data.at, _errs4 = errors, _errs5 = errors;
          if (errors === _errs5 && errors === _errs5)
            if (typeof data1 == "string")
              if (pattern0.test(data1)) {
                if (!formats0.test(data1))
                  return validate18.errors = [{ instancePath: instancePath + "/at", schemaPath: "#/definitions/instant/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' }], !1;
              } else
                return validate18.errors = [{ instancePath: instancePath + "/at", schemaPath: "#/definitions/instant/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$" }, message: 'must match pattern "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"' }], !1;
            else
              return validate18.errors = [{ instancePath: instancePath + "/at", schemaPath: "#/definitions/instant/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
          var valid0 = _errs4 === errors;
        } else
          var valid0 = !0;
        if (valid0) {
          if (data.job_id !== void 0) {
            let data2 = data.job_id, _errs7 = errors;
            if (errors === errors)
              if (typeof data2 == "string") {
                if (!pattern4.test(data2))
                  return validate18.errors = [{ instancePath: instancePath + "/job_id", schemaPath: "#/definitions/jobId/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{8}$" }, message: 'must match pattern "^[0-9a-f]{8}$"' }], !1;
              } else
                return validate18.errors = [{ instancePath: instancePath + "/job_id", schemaPath: "#/definitions/jobId/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
            var valid0 = _errs7 === errors;
          } else
            var valid0 = !0;
          if (valid0) {
            if (data.outcome !== void 0) {
              let data3 = data.outcome, _errs10 = errors;
              if (!(data3 === "launching" || data3 === "woken" || data3 === "copied" || data3 === "came_back" || data3 === "unconfirmed" || data3 === "failed" || data3 === "kept"))
                return validate18.errors = [{ instancePath: instancePath + "/outcome", schemaPath: "#/properties/outcome/enum", keyword: "enum", params: { allowedValues: schema25.properties.outcome.enum }, message: "must be equal to one of the allowed values" }], !1;
              var valid0 = _errs10 === errors;
            } else
              var valid0 = !0;
            if (valid0) {
              if (data.successor !== void 0) {
                let data4 = data.successor, _errs11 = errors, _errs12 = errors, valid3 = !1, _errs13 = errors;
                if (data4 !== null) {
                  let err0 = { instancePath: instancePath + "/successor", schemaPath: "#/properties/successor/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                  vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
                }
                var _valid0 = _errs13 === errors;
                if (valid3 = valid3 || _valid0, !valid3) {
                  let _errs15 = errors;
                  if (errors === _errs15)
                    if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
                      let missing1;
                      if (data4.job_id === void 0 && (missing1 = "job_id") || data4.session_id === void 0 && (missing1 = "session_id")) {
                        let err1 = { instancePath: instancePath + "/successor", schemaPath: "#/properties/successor/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                        vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++;
                      } else {
                        if (data4.job_id !== void 0) {
                          let data5 = data4.job_id, _errs18 = errors;
                          if (errors === errors)
                            if (typeof data5 == "string") {
                              if (!pattern4.test(data5)) {
                                let err2 = { instancePath: instancePath + "/successor/job_id", schemaPath: "#/definitions/jobId/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{8}$" }, message: 'must match pattern "^[0-9a-f]{8}$"' };
                                vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
                              }
                            } else {
                              let err3 = { instancePath: instancePath + "/successor/job_id", schemaPath: "#/definitions/jobId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                              vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
                            }
                          var valid4 = _errs18 === errors;
                        } else
                          var valid4 = !0;
                        if (valid4)
                          if (data4.session_id !== void 0) {
                            let data6 = data4.session_id, _errs21 = errors;
                            if (typeof data6 != "string" && data6 !== null) {
                              let err4 = { instancePath: instancePath + "/successor/session_id", schemaPath: "#/definitions/textOrNull/type", keyword: "type", params: { type: schema14.type }, message: "must be string,null" };
                              vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
                            }
                            var valid4 = _errs21 === errors;
                          } else
                            var valid4 = !0;
                      }
                    } else {
                      let err5 = { instancePath: instancePath + "/successor", schemaPath: "#/properties/successor/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                      vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
                    }
                  var _valid0 = _errs15 === errors;
                  valid3 = valid3 || _valid0;
                }
                if (valid3)
                  errors = _errs12, vErrors !== null && (_errs12 ? vErrors.length = _errs12 : vErrors = null);
                else {
                  let err6 = { instancePath: instancePath + "/successor", schemaPath: "#/properties/successor/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                  return vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++, validate18.errors = vErrors, !1;
                }
                var valid0 = _errs11 === errors;
              } else
                var valid0 = !0;
              if (valid0) {
                if (data.message !== void 0) {
                  let _errs24 = errors;
                  if (typeof data.message != "string")
                    return validate18.errors = [{ instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
                  var valid0 = _errs24 === errors;
                } else
                  var valid0 = !0;
                if (valid0)
                  if (data.progress !== void 0) {
                    let data8 = data.progress, _errs26 = errors;
                    if (typeof data8 != "boolean" && data8 !== null)
                      return validate18.errors = [{ instancePath: instancePath + "/progress", schemaPath: "#/properties/progress/type", keyword: "type", params: { type: schema25.properties.progress.type }, message: "must be boolean,null" }], !1;
                    var valid0 = _errs26 === errors;
                  } else
                    var valid0 = !0;
              }
            }
          }
        }
      }
    } else
      return validate18.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }], !1;
  return validate18.errors = vErrors, errors === 0;
}
function validate11(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (errors === 0)
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.id === void 0 && (missing0 = "id") || data.record_uuid === void 0 && (missing0 = "record_uuid") || data.shown_at === void 0 && (missing0 = "shown_at") || data.shown_source === void 0 && (missing0 = "shown_source") || data.first_seen_at === void 0 && (missing0 = "first_seen_at") || data.message === void 0 && (missing0 = "message") || data.cause === void 0 && (missing0 = "cause") || data.limit === void 0 && (missing0 = "limit") || data.reset_at === void 0 && (missing0 = "reset_at") || data.reset_source === void 0 && (missing0 = "reset_source") || data.suspect === void 0 && (missing0 = "suspect") || data.reason === void 0 && (missing0 = "reason") || data.waited_until === void 0 && (missing0 = "waited_until") || data.stopping === void 0 && (missing0 = "stopping") || data.attempts === void 0 && (missing0 = "attempts") || data.given_back === void 0 && (missing0 = "given_back"))
        return validate11.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }], !1;
      if (data.id !== void 0) {
        let data0 = data.id, _errs2 = errors;
        if (errors === _errs2)
          if (typeof data0 == "string") {
            if (func2(data0) < 1)
              return validate11.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/minLength", keyword: "minLength", params: { limit: 1 }, message: "must NOT have fewer than 1 characters" }], !1;
          } else
            return validate11.errors = [{ instancePath: instancePath + "/id", schemaPath: "#/properties/id/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
        var valid0 = _errs2 === errors;
      } else
        var valid0 = !0;
      if (valid0) {
        if (data.record_uuid !== void 0) {
          let data1 = data.record_uuid, _errs4 = errors;
          if (typeof data1 != "string" && data1 !== null)
            return validate11.errors = [{ instancePath: instancePath + "/record_uuid", schemaPath: "#/definitions/textOrNull/type", keyword: "type", params: { type: schema14.type }, message: "must be string,null" }], !1;
          var valid0 = _errs4 === errors;
        } else
          var valid0 = !0;
        if (valid0) {
          if (data.shown_at !== void 0) {
            let data2 = data.shown_at, _errs7 = errors, _errs8 = errors;
            if (errors === _errs8 && errors === _errs8)
              if (typeof data2 == "string")
                if (pattern0.test(data2)) {
                  if (!formats0.test(data2))
                    return validate11.errors = [{ instancePath: instancePath + "/shown_at", schemaPath: "#/definitions/instant/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' }], !1;
                } else
                  return validate11.errors = [{ instancePath: instancePath + "/shown_at", schemaPath: "#/definitions/instant/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$" }, message: 'must match pattern "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"' }], !1;
              else
                return validate11.errors = [{ instancePath: instancePath + "/shown_at", schemaPath: "#/definitions/instant/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
            var valid0 = _errs7 === errors;
          } else
            var valid0 = !0;
          if (valid0) {
            if (data.shown_source !== void 0) {
              let data3 = data.shown_source, _errs10 = errors;
              if (!(data3 === "transcript" || data3 === "timeline" || data3 === "first_seen" || data3 === "updated_at"))
                return validate11.errors = [{ instancePath: instancePath + "/shown_source", schemaPath: "#/properties/shown_source/enum", keyword: "enum", params: { allowedValues: schema13.properties.shown_source.enum }, message: "must be equal to one of the allowed values" }], !1;
              var valid0 = _errs10 === errors;
            } else
              var valid0 = !0;
            if (valid0) {
              if (data.first_seen_at !== void 0) {
                let data4 = data.first_seen_at, _errs11 = errors, _errs12 = errors;
                if (errors === _errs12 && errors === _errs12)
                  if (typeof data4 == "string")
                    if (pattern0.test(data4)) {
                      if (!formats0.test(data4))
                        return validate11.errors = [{ instancePath: instancePath + "/first_seen_at", schemaPath: "#/definitions/instant/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' }], !1;
                    } else
                      return validate11.errors = [{ instancePath: instancePath + "/first_seen_at", schemaPath: "#/definitions/instant/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$" }, message: 'must match pattern "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"' }], !1;
                  else
                    return validate11.errors = [{ instancePath: instancePath + "/first_seen_at", schemaPath: "#/definitions/instant/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
                var valid0 = _errs11 === errors;
              } else
                var valid0 = !0;
              if (valid0) {
                if (data.message !== void 0) {
                  let _errs14 = errors;
                  if (typeof data.message != "string")
                    return validate11.errors = [{ instancePath: instancePath + "/message", schemaPath: "#/properties/message/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
                  var valid0 = _errs14 === errors;
                } else
                  var valid0 = !0;
                if (valid0) {
                  if (data.cause !== void 0) {
                    let data6 = data.cause, _errs16 = errors;
                    if (!(data6 === "limit" || data6 === "api" || data6 === "overload" || data6 === "network" || data6 === "throttle"))
                      return validate11.errors = [{ instancePath: instancePath + "/cause", schemaPath: "#/properties/cause/enum", keyword: "enum", params: { allowedValues: schema13.properties.cause.enum }, message: "must be equal to one of the allowed values" }], !1;
                    var valid0 = _errs16 === errors;
                  } else
                    var valid0 = !0;
                  if (valid0) {
                    if (data.limit !== void 0) {
                      let data7 = data.limit, _errs17 = errors;
                      if (!(data7 === "session" || data7 === "weekly" || data7 === "opus" || data7 === "sonnet" || data7 === "fable" || data7 === "extra_usage" || data7 === "credits" || data7 === "spend" || data7 === "org" || data7 === "untyped" || data7 === null))
                        return validate11.errors = [{ instancePath: instancePath + "/limit", schemaPath: "#/properties/limit/enum", keyword: "enum", params: { allowedValues: schema13.properties.limit.enum }, message: "must be equal to one of the allowed values" }], !1;
                      var valid0 = _errs17 === errors;
                    } else
                      var valid0 = !0;
                    if (valid0) {
                      if (data.reset_at !== void 0) {
                        let _errs18 = errors;
                        validate12(data.reset_at, { instancePath: instancePath + "/reset_at", parentData: data, parentDataProperty: "reset_at", rootData }) || (vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors), errors = vErrors.length);
                        var valid0 = _errs18 === errors;
                      } else
                        var valid0 = !0;
                      if (valid0) {
                        if (data.reset_source !== void 0) {
                          let data9 = data.reset_source, _errs19 = errors;
                          if (!(data9 === "transcript" || data9 === "timeline" || data9 === "first_seen" || data9 === "updated_at" || data9 === "none"))
                            return validate11.errors = [{ instancePath: instancePath + "/reset_source", schemaPath: "#/definitions/source/enum", keyword: "enum", params: { allowedValues: schema19.enum }, message: "must be equal to one of the allowed values" }], !1;
                          var valid0 = _errs19 === errors;
                        } else
                          var valid0 = !0;
                        if (valid0) {
                          if (data.suspect !== void 0) {
                            let data10 = data.suspect, _errs21 = errors;
                            if (typeof data10 != "string" && data10 !== null)
                              return validate11.errors = [{ instancePath: instancePath + "/suspect", schemaPath: "#/definitions/textOrNull/type", keyword: "type", params: { type: schema14.type }, message: "must be string,null" }], !1;
                            var valid0 = _errs21 === errors;
                          } else
                            var valid0 = !0;
                          if (valid0) {
                            if (data.reason !== void 0) {
                              let data11 = data.reason, _errs24 = errors, _errs25 = errors, valid6 = !1, _errs26 = errors;
                              validate14(data11, { instancePath: instancePath + "/reason", parentData: data, parentDataProperty: "reason", rootData }) || (vErrors = vErrors === null ? validate14.errors : vErrors.concat(validate14.errors), errors = vErrors.length);
                              var _valid0 = _errs26 === errors;
                              if (valid6 = valid6 || _valid0, !valid6) {
                                let _errs27 = errors;
                                if (data11 !== null) {
                                  let err0 = { instancePath: instancePath + "/reason", schemaPath: "#/properties/reason/anyOf/1/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                  vErrors === null ? vErrors = [err0] : vErrors.push(err0), errors++;
                                }
                                var _valid0 = _errs27 === errors;
                                valid6 = valid6 || _valid0;
                              }
                              if (valid6)
                                errors = _errs25, vErrors !== null && (_errs25 ? vErrors.length = _errs25 : vErrors = null);
                              else {
                                let err1 = { instancePath: instancePath + "/reason", schemaPath: "#/properties/reason/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                return vErrors === null ? vErrors = [err1] : vErrors.push(err1), errors++, validate11.errors = vErrors, !1;
                              }
                              var valid0 = _errs24 === errors;
                            } else
                              var valid0 = !0;
                            if (valid0) {
                              if (data.waited_until !== void 0) {
                                let _errs29 = errors;
                                validate12(data.waited_until, { instancePath: instancePath + "/waited_until", parentData: data, parentDataProperty: "waited_until", rootData }) || (vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors), errors = vErrors.length);
                                var valid0 = _errs29 === errors;
                              } else
                                var valid0 = !0;
                              if (valid0) {
                                if (data.stopping !== void 0) {
                                  let data13 = data.stopping, _errs30 = errors, _errs31 = errors, valid7 = !1, _errs32 = errors;
                                  if (data13 !== null) {
                                    let err2 = { instancePath: instancePath + "/stopping", schemaPath: "#/properties/stopping/anyOf/0/type", keyword: "type", params: { type: "null" }, message: "must be null" };
                                    vErrors === null ? vErrors = [err2] : vErrors.push(err2), errors++;
                                  }
                                  var _valid1 = _errs32 === errors;
                                  if (valid7 = valid7 || _valid1, !valid7) {
                                    let _errs34 = errors;
                                    if (errors === _errs34)
                                      if (data13 && typeof data13 == "object" && !Array.isArray(data13)) {
                                        let missing1;
                                        if (data13.job_id === void 0 && (missing1 = "job_id") || data13.at === void 0 && (missing1 = "at")) {
                                          let err3 = { instancePath: instancePath + "/stopping", schemaPath: "#/properties/stopping/anyOf/1/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" };
                                          vErrors === null ? vErrors = [err3] : vErrors.push(err3), errors++;
                                        } else {
                                          if (data13.job_id !== void 0) {
                                            let data14 = data13.job_id, _errs37 = errors;
                                            if (errors === errors)
                                              if (typeof data14 == "string") {
                                                if (!pattern4.test(data14)) {
                                                  let err4 = { instancePath: instancePath + "/stopping/job_id", schemaPath: "#/definitions/jobId/pattern", keyword: "pattern", params: { pattern: "^[0-9a-f]{8}$" }, message: 'must match pattern "^[0-9a-f]{8}$"' };
                                                  vErrors === null ? vErrors = [err4] : vErrors.push(err4), errors++;
                                                }
                                              } else {
                                                let err5 = { instancePath: instancePath + "/stopping/job_id", schemaPath: "#/definitions/jobId/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                                vErrors === null ? vErrors = [err5] : vErrors.push(err5), errors++;
                                              }
                                            var valid8 = _errs37 === errors;
                                          } else
                                            var valid8 = !0;
                                          if (valid8)
                                            if (data13.at !== void 0) {
                                              let data15 = data13.at, _errs40 = errors, _errs41 = errors;
                                              if (errors === _errs41 && errors === _errs41)
                                                if (typeof data15 == "string")
                                                  if (pattern0.test(data15)) {
                                                    if (!formats0.test(data15)) {
                                                      let err7 = { instancePath: instancePath + "/stopping/at", schemaPath: "#/definitions/instant/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' };
                                                      vErrors === null ? vErrors = [err7] : vErrors.push(err7), errors++;
                                                    }
                                                  } else {
                                                    let err6 = { instancePath: instancePath + "/stopping/at", schemaPath: "#/definitions/instant/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$" }, message: 'must match pattern "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"' };
                                                    vErrors === null ? vErrors = [err6] : vErrors.push(err6), errors++;
                                                  }
                                                else {
                                                  let err8 = { instancePath: instancePath + "/stopping/at", schemaPath: "#/definitions/instant/type", keyword: "type", params: { type: "string" }, message: "must be string" };
                                                  vErrors === null ? vErrors = [err8] : vErrors.push(err8), errors++;
                                                }
                                              var valid8 = _errs40 === errors;
                                            } else
                                              var valid8 = !0;
                                        }
                                      } else {
                                        let err9 = { instancePath: instancePath + "/stopping", schemaPath: "#/properties/stopping/anyOf/1/type", keyword: "type", params: { type: "object" }, message: "must be object" };
                                        vErrors === null ? vErrors = [err9] : vErrors.push(err9), errors++;
                                      }
                                    var _valid1 = _errs34 === errors;
                                    valid7 = valid7 || _valid1;
                                  }
                                  if (valid7)
                                    errors = _errs31, vErrors !== null && (_errs31 ? vErrors.length = _errs31 : vErrors = null);
                                  else {
                                    let err10 = { instancePath: instancePath + "/stopping", schemaPath: "#/properties/stopping/anyOf", keyword: "anyOf", params: {}, message: "must match a schema in anyOf" };
                                    return vErrors === null ? vErrors = [err10] : vErrors.push(err10), errors++, validate11.errors = vErrors, !1;
                                  }
                                  var valid0 = _errs30 === errors;
                                } else
                                  var valid0 = !0;
                                if (valid0) {
                                  if (data.attempts !== void 0) {
                                    let data16 = data.attempts, _errs43 = errors;
                                    if (errors === _errs43)
                                      if (Array.isArray(data16)) {
                                        var valid11 = !0;
                                        let len0 = data16.length;
                                        for (let i0 = 0; i0 < len0; i0++) {
                                          let _errs45 = errors;
                                          validate18(data16[i0], { instancePath: instancePath + "/attempts/" + i0, parentData: data16, parentDataProperty: i0, rootData }) || (vErrors = vErrors === null ? validate18.errors : vErrors.concat(validate18.errors), errors = vErrors.length);
                                          var valid11 = _errs45 === errors;
                                          if (!valid11)
                                            break;
                                        }
                                      } else
                                        return validate11.errors = [{ instancePath: instancePath + "/attempts", schemaPath: "#/properties/attempts/type", keyword: "type", params: { type: "array" }, message: "must be array" }], !1;
                                    var valid0 = _errs43 === errors;
                                  } else
                                    var valid0 = !0;
                                  if (valid0)
                                    if (data.given_back !== void 0) {
                                      let data18 = data.given_back, _errs46 = errors;
                                      if (!(typeof data18 == "number" && !(data18 % 1) && !isNaN(data18) && isFinite(data18)))
                                        return validate11.errors = [{ instancePath: instancePath + "/given_back", schemaPath: "#/properties/given_back/type", keyword: "type", params: { type: "integer" }, message: "must be integer" }], !1;
                                      if (errors === _errs46 && typeof data18 == "number" && isFinite(data18) && (data18 < 0 || isNaN(data18)))
                                        return validate11.errors = [{ instancePath: instancePath + "/given_back", schemaPath: "#/properties/given_back/minimum", keyword: "minimum", params: { comparison: ">=", limit: 0 }, message: "must be >= 0" }], !1;
                                      var valid0 = _errs46 === errors;
                                    } else
                                      var valid0 = !0;
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else
      return validate11.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }], !1;
  return validate11.errors = vErrors, errors === 0;
}
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null, errors = 0;
  if (errors === 0)
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.version === void 0 && (missing0 = "version") || data.conversations === void 0 && (missing0 = "conversations") || data.launches === void 0 && (missing0 = "launches"))
        return validate10.errors = [{ instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: missing0 }, message: "must have required property '" + missing0 + "'" }], !1;
      if (data.version !== void 0) {
        let _errs2 = errors;
        if (data.version !== 1)
          return validate10.errors = [{ instancePath: instancePath + "/version", schemaPath: "#/properties/version/const", keyword: "const", params: { allowedValue: 1 }, message: "must be equal to constant" }], !1;
        var valid0 = _errs2 === errors;
      } else
        var valid0 = !0;
      if (valid0) {
        if (data.launches !== void 0) {
          let data1 = data.launches, _errs3 = errors;
          if (errors === _errs3)
            if (Array.isArray(data1)) {
              var valid1 = !0;
              let len0 = data1.length;
              for (let i0 = 0; i0 < len0; i0++) {
                let data2 = data1[i0], _errs5 = errors, _errs6 = errors;
                if (errors === _errs6 && errors === _errs6)
                  if (typeof data2 == "string")
                    if (pattern0.test(data2)) {
                      if (!formats0.test(data2))
                        return validate10.errors = [{ instancePath: instancePath + "/launches/" + i0, schemaPath: "#/definitions/instant/format", keyword: "format", params: { format: "date-time" }, message: 'must match format "date-time"' }], !1;
                    } else
                      return validate10.errors = [{ instancePath: instancePath + "/launches/" + i0, schemaPath: "#/definitions/instant/pattern", keyword: "pattern", params: { pattern: "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$" }, message: 'must match pattern "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"' }], !1;
                  else
                    return validate10.errors = [{ instancePath: instancePath + "/launches/" + i0, schemaPath: "#/definitions/instant/type", keyword: "type", params: { type: "string" }, message: "must be string" }], !1;
                var valid1 = _errs5 === errors;
                if (!valid1)
                  break;
              }
            } else
              return validate10.errors = [{ instancePath: instancePath + "/launches", schemaPath: "#/properties/launches/type", keyword: "type", params: { type: "array" }, message: "must be array" }], !1;
          var valid0 = _errs3 === errors;
        } else
          var valid0 = !0;
        if (valid0)
          if (data.conversations !== void 0) {
            let data3 = data.conversations, _errs8 = errors;
            if (errors === _errs8)
              if (data3 && typeof data3 == "object" && !Array.isArray(data3))
                for (let key0 in data3) {
                  let data4 = data3[key0], _errs11 = errors;
                  if (errors === _errs11)
                    if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
                      let missing1;
                      if (data4.episodes === void 0 && (missing1 = "episodes"))
                        return validate10.errors = [{ instancePath: instancePath + "/conversations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/conversations/additionalProperties/required", keyword: "required", params: { missingProperty: missing1 }, message: "must have required property '" + missing1 + "'" }], !1;
                      if (data4.episodes !== void 0) {
                        let data5 = data4.episodes;
                        if (errors === errors)
                          if (Array.isArray(data5)) {
                            var valid5 = !0;
                            let len1 = data5.length;
                            for (let i1 = 0; i1 < len1; i1++) {
                              let _errs16 = errors;
                              validate11(data5[i1], { instancePath: instancePath + "/conversations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1") + "/episodes/" + i1, parentData: data5, parentDataProperty: i1, rootData }) || (vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors), errors = vErrors.length);
                              var valid5 = _errs16 === errors;
                              if (!valid5)
                                break;
                            }
                          } else
                            return validate10.errors = [{ instancePath: instancePath + "/conversations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1") + "/episodes", schemaPath: "#/properties/conversations/additionalProperties/properties/episodes/type", keyword: "type", params: { type: "array" }, message: "must be array" }], !1;
                      }
                    } else
                      return validate10.errors = [{ instancePath: instancePath + "/conversations/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/conversations/additionalProperties/type", keyword: "type", params: { type: "object" }, message: "must be object" }], !1;
                  var valid3 = _errs11 === errors;
                  if (!valid3)
                    break;
                }
              else
                return validate10.errors = [{ instancePath: instancePath + "/conversations", schemaPath: "#/properties/conversations/type", keyword: "type", params: { type: "object" }, message: "must be object" }], !1;
            var valid0 = _errs8 === errors;
          } else
            var valid0 = !0;
      }
    } else
      return validate10.errors = [{ instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" }, message: "must be object" }], !1;
  return validate10.errors = vErrors, errors === 0;
}
export {
  stdin_default as default,
  validate
};
