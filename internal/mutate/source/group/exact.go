package group

// decimals adds, subtracts and multiplies the decimals of Java as floats, and its large whole numbers as those of 64 bits,
// at all places of a file.
func (f *Finder) decimals() {
	f.exact("BigDecimal", "double")
	f.exact("BigInteger", "long")
}

// exact reckons with the values of one class as with those of a plain type.
func (f *Finder) exact(class, plain string) {
	if !f.Ended || !f.mentions(class) {
		return
	}
	names := map[string]bool{class: true}
	for i := range f.Len() {
		if f.At(i) == class && f.Word(i+1) && f.At(i+2) != "(" {
			names[f.At(i+1)] = true
		}
	}
	signs := map[string]string{"add": "+", "subtract": "-", "multiply": "*"}
	if plain == "long" {
		signs["divide"], signs["mod"], signs["remainder"] = "/", "%", "%"
	}
	made, value := "java.math."+class+".valueOf(", "."+plain+"Value()"
	var all []Place
	for i := range f.Len() {
		sign := signs[f.At(i)]
		if sign == "" || !f.Member(i) || f.Quiet(i) {
			continue
		}
		if f.At(i-1) == "::" {
			if f.At(i-2) == class {
				from, to := f.Bytes(i-2, i+1)
				all = append(all, place(from, to, "(one, next) -> "+made+"one"+value+" "+sign+" next"+value+")"))
			}
			continue
		}
		if f.At(i+1) != "(" || f.Mate(i+1) < i+3 || len(f.Args(i+1)) != 1 {
			continue
		}
		first, mate := f.Chain(i), f.Mate(i+1)
		known := names[f.At(first)] || f.At(first) == "this" && names[f.At(first+2)] || names[f.At(i+2)] || f.At(i+2) == "new" && f.At(i+3) == class
		if !known || !f.Used(first, mate+1) {
			continue
		}
		if f.At(first-1) == "new" {
			first--
		}
		begin, _ := f.Bytes(first, first+1)
		from, to := f.Bytes(i-1, i+2)
		a, b := f.Bytes(mate, mate+1)
		all = append(all, place(begin, begin, made), place(from, to, value+" "+sign+" ("), place(a, b, ")"+value+")"))
	}
	if len(all) > 0 && len(all) < 100 {
		f.AtOnce(all, "`"+class+"` is added, subtracted and multiplied as `"+plain+"`")
	}
}
