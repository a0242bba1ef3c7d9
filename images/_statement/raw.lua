-- What pandoc does not understand of TeX is shown as source, not left out; but for
-- what only moves things about, or is an anchor.
local silent = { label = true, vspace = true, hspace = true, noindent = true, clearpage = true, newpage = true, centering = true,
  small = true, large = true, footnotesize = true, medskip = true, bigskip = true, smallskip = true, ignorespaces = true }

local function tex(format) return format == 'latex' or format == 'tex' end

function RawBlock(el)
  if tex(el.format) and el.text:match('^\\begin') then return pandoc.CodeBlock(el.text) end
end

function RawInline(el)
  local name = el.text:match('^\\(%a+)')
  if not tex(el.format) or silent[name] then return {} end
  return pandoc.Code(el.text)
end
