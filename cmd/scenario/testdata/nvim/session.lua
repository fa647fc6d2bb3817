-- What a person does in an editor, with the settings of docs/editors.md. Every
-- step says what it is, so that a failure names it; the last line is "done".
local file = vim.env.SCENARIO_TEST_FILE
local patience = 20000 -- milliseconds for an answer; none comes late on purpose

local function step(name, f)
  local ok, err = pcall(f)
  if not ok then
    io.stdout:write('failed: ' .. name .. ': ' .. tostring(err) .. '\n')
    vim.cmd('cq')
  end
  io.stdout:write('ok: ' .. name .. '\n')
end

local function await(what, f)
  if not vim.wait(patience, f, 10) then
    error('waited in vain for ' .. what, 2)
  end
end

local function equal(got, want)
  if not vim.deep_equal(got, want) then
    error('got ' .. vim.inspect(got) .. '\nwant ' .. vim.inspect(want), 2)
  end
end

-- settled waits until what the server says of this very text is shown.
local said = {}
local show = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, ...)
  show(err, result, ...)
  said[result.uri] = result.version
end
local function settled()
  await('what is said of this text', function()
    return said[vim.uri_from_bufnr(0)] == vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]
  end)
end

-- to puts the cursor on the text, as a person who searches for it does.
local function to(text)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. text, 'cW') > 0, 'no ' .. text)
end

local function ask(method, params)
  local answers = assert(vim.lsp.buf_request_sync(0, method, params or vim.lsp.util.make_position_params(), patience))
  for _, answer in pairs(answers) do
    assert(not answer.err, vim.inspect(answer.err))
    return answer.result
  end
  error('nobody answered ' .. method)
end

step('open', function()
  vim.cmd('edit ' .. file)
  equal(vim.bo.filetype, 'scenario')
  await('a client', function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
end)

step('diagnostic', function()
  settled()
  local d = vim.diagnostic.get(0)
  equal(#d, 1)
  equal(d[1].message, 'Unknown name: No step "clasify" is declared in workflow "support". Did you mean "classify"?')
  to('.clasify')
  equal({ d[1].lnum + 1, d[1].col + 1 }, { vim.fn.line('.'), vim.fn.col('.') })
end)

step('code action', function()
  to('clasify')
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {} }
  local actions = ask('textDocument/codeAction', params)
  equal(actions[1].title, 'Change to classify')
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  settled()
  equal(vim.diagnostic.get(0), {})
end)

step('complete', function()
  to('condition =')
  vim.api.nvim_set_current_line('    condition = step.answer.cont')
  vim.api.nvim_win_set_cursor(0, { vim.fn.line('.'), #vim.api.nvim_get_current_line() })
  local params = vim.lsp.util.make_position_params()
  params.position.character = #vim.api.nvim_get_current_line()
  local list = ask('textDocument/completion', params)
  equal(#list.items, 1)
  equal(list.items[1].label, 'content')
  vim.lsp.util.apply_text_edits({ list.items[1].textEdit }, 0, 'utf-16')
  equal(vim.api.nvim_get_current_line(), '    condition = step.answer.content')
  vim.api.nvim_set_current_line('    condition = step.answer.content == "🙂"')
end)

step('hover', function()
  to('max_retries')
  local text = ask('textDocument/hover').contents.value
  assert(text:find('How many rounds may follow the first.', 1, true), text)
end)

step('definition', function()
  to('retry.std')
  vim.fn.cursor(vim.fn.line('.'), vim.fn.col('.') + #'retry.')
  vim.lsp.buf.definition()
  await('the jump', function() return vim.api.nvim_get_current_line():find('^retry "exponential"') ~= nil end)
end)

step('rename', function()
  to('"classify"')
  vim.fn.cursor(vim.fn.line('.'), vim.fn.col('.') + 1)
  vim.lsp.buf.rename('sort')
  await('the new name', function()
    return not table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n'):find('classify')
  end)
  to('step "llm" "sort"')
  to('step.sort.content')
  to('on "sort"')
end)

step('format', function()
  to('max_retries')
  vim.api.nvim_set_current_line('max_retries    =   3')
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = patience })
  else
    vim.lsp.buf.formatting_sync(nil, patience)
  end
  to('max_retries')
  equal(vim.api.nvim_get_current_line(), '  max_retries = 3')
end)

step('outline', function()
  local symbols = ask('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() })
  equal(symbols[#symbols].name, 'scenario works')
end)

step('write', function()
  settled()
  equal(vim.diagnostic.get(0), {})
  vim.cmd('write')
end)

step('leave', function()
  local ids = vim.tbl_keys(vim.lsp.buf_get_clients(0))
  for _, id in ipairs(ids) do
    vim.lsp.stop_client(id)
  end
  await('the end of the server', function() return next(vim.lsp.get_active_clients()) == nil end)
end)

io.stdout:write('done\n')
vim.cmd('qall!')
